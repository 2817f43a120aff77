package io.gatewaybench.autoconfigure.webmvc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.io.HttpMessageParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * Parser of the responses on one connection that refuses what Apache's own takes: a head
 * that ends with the connection, and bytes after the end of one response as the beginning
 * of the next. The second would give one client what an upstream made up for another (RFC
 * 9112, section 6.3).
 */
final class StrictResponseParser implements HttpMessageParser<ClassicHttpResponse> {

	private final HttpMessageParser<ClassicHttpResponse> delegate = DefaultHttpResponseParserFactory.INSTANCE.create();

	/** Whether the response that came last announces another one. */
	private boolean interim;

	@Override
	public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream input) throws IOException, HttpException {
		if (buffer.length() > 0 && !this.interim) {
			throw new ProtocolException("The upstream sent more than its last response");
		}
		EndWatch watched = new EndWatch(input);
		ClassicHttpResponse response = this.delegate.parse(buffer, watched);
		if (watched.ended) {
			throw new ConnectionClosedException("The upstream closed before the end of the response's head");
		}
		this.interim = response.getCode() < HttpStatus.SC_OK;
		return response;
	}

	/**
	 * Remembers whether there was an end.
	 */
	private static final class EndWatch extends FilterInputStream {

		private boolean ended;

		EndWatch(InputStream input) {
			super(input);
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			int count = super.read(target, offset, length);
			this.ended |= count < 0;
			return count;
		}

	}

}
