package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.stream.Stream;

import reactor.netty.NettyInbound;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Response of Reactor Netty's client, and its body. Spring's own stream of it waits until
 * the whole array is full (Spring Framework 7.0.9), so a piece of a stream would wait for
 * those after it.
 */
final class Http2Response extends InputStream implements ClientHttpResponse {

	/** A piece has 16 KB at most by default. */
	private static final int PIECES_AHEAD = 4;

	private final ClientHttpResponse head;

	private final Stream<byte[]> pieces;

	private final Iterator<byte[]> iterator;

	private byte[] piece = {};

	private int position;

	/**
	 * Create the response.
	 * @param head its head
	 * @param inbound what its body comes from
	 */
	Http2Response(ClientHttpResponse head, NettyInbound inbound) {
		this.head = head;
		this.pieces = inbound.receive().asByteArray().toStream(PIECES_AHEAD);
		this.iterator = this.pieces.iterator();
	}

	@Override
	public int read() {
		return hasNext() ? this.piece[this.position++] & 0xff : -1;
	}

	@Override
	public int read(byte[] target, int offset, int length) {
		if (length == 0 || !hasNext()) {
			return (length == 0) ? 0 : -1;
		}
		int count = Math.min(length, this.piece.length - this.position);
		System.arraycopy(this.piece, this.position, target, offset, count);
		this.position += count;
		return count;
	}

	private boolean hasNext() {
		while (this.position == this.piece.length) {
			if (!this.iterator.hasNext()) {
				return false;
			}
			this.piece = this.iterator.next();
			this.position = 0;
		}
		return true;
	}

	/**
	 * What has not come yet is cancelled.
	 */
	@Override
	public void close() {
		this.pieces.close();
	}

	@Override
	public InputStream getBody() {
		return this;
	}

	@Override
	public HttpStatusCode getStatusCode() throws IOException {
		return this.head.getStatusCode();
	}

	@Override
	public String getStatusText() throws IOException {
		return this.head.getStatusText();
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.head.getHeaders();
	}

}
