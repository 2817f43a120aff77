package io.gatewaybench.benchmark.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * Reads the responses of one channel, one after the other, and keeps of each what is
 * checked.
 */
final class ResponseReader extends HttpResponseDecoder {

	private static final int LONGEST = 65_536;

	// What is no number is not there
	private static final Pattern BACKEND = Pattern.compile("backend;dur=([0-9]{1,9}+(?![0-9])(?:\\.[0-9]{1,6})?)");

	private static final double NANOS_PER_MILLI = 1e6;

	private final BodyTail body = new BodyTail();

	private boolean head;

	private boolean webSocket;

	private boolean started;

	private int status;

	private boolean keepAlive;

	private long backendNanos;

	ResponseReader() {
		super(new HttpDecoderConfig().setMaxInitialLineLength(LONGEST)
			.setMaxHeaderSize(LONGEST)
			.setMaxChunkSize(LONGEST)
			// Nobody looks at most of them
			.setValidateHeaders(false)
			.setAllowDuplicateContentLengths(true)
			.setUseRfc9112TransferEncoding(false));
	}

	/**
	 * Gets ready for the next response.
	 * @param toHead whether it answers a HEAD request
	 * @param mayUpgrade whether it may switch to a WebSocket
	 */
	void begin(boolean toHead, boolean mayUpgrade) {
		this.head = toHead;
		this.webSocket = mayUpgrade;
		this.body.reset();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object bytes) throws Exception {
		this.started = true;
		super.channelRead(context, bytes);
	}

	@Override
	protected boolean isContentAlwaysEmpty(HttpMessage message) {
		return this.head || super.isContentAlwaysEmpty(message);
	}

	/**
	 * Takes what was decoded.
	 * @param part the next part of the response
	 * @return whether the response is complete
	 * @throws DecoderException if this is no HTTP/1.1 response
	 */
	boolean take(HttpObject part) {
		Throwable failure = part.decoderResult().cause();
		if (failure instanceof PrematureChannelClosureException) {
			// The connection tells of its end
			return false;
		}
		if (failure != null) {
			throw new DecoderException(failure);
		}
		if (part instanceof HttpResponse response) {
			head(response);
		}
		if (part instanceof HttpContent content) {
			this.body.append(content.content());
		}
		// Interim responses have an end of their own
		boolean complete = part instanceof LastHttpContent && this.status >= 200;
		this.started &= !complete;
		return complete;
	}

	private void head(HttpResponse response) {
		// Streams of HTTP/2 have no bytes that this reader sees
		this.started = true;
		HttpVersion version = response.protocolVersion();
		if (!version.protocolName().equals("HTTP") || version.majorVersion() != 1) {
			throw new DecoderException("its version is " + version);
		}
		this.status = response.status().code();
		if (this.status < 100 || this.status > 999) {
			throw new DecoderException("its status is " + this.status);
		}
		if (this.status == Expectation.WEB_SOCKET && !this.webSocket) {
			throw new DecoderException("it switches to another protocol");
		}
		boolean endsItself = isContentAlwaysEmpty(response) || HttpUtil.isTransferEncodingChunked(response)
				|| HttpUtil.isContentLengthSet(response);
		this.keepAlive = endsItself && this.status != Expectation.WEB_SOCKET && HttpUtil.isKeepAlive(response);
		this.backendNanos = -1;
		for (String timing : response.headers().getAll("server-timing")) {
			timing(timing);
		}
	}

	/**
	 * Takes what may tell how long the backend took.
	 * @param text the value of {@code Server-Timing}, or something else
	 */
	void timing(String text) {
		Matcher backend = BACKEND.matcher(text);
		if (backend.find()) {
			this.backendNanos = Math.round(Double.parseDouble(backend.group(1)) * NANOS_PER_MILLI);
		}
	}

	/**
	 * Whether bytes came that belong to no complete response.
	 * @return whether any did
	 */
	boolean started() {
		return this.started;
	}

	int status() {
		return this.status;
	}

	/**
	 * Whether the channel can be used for a further request.
	 * @return whether it stays open, and nothing came behind the response
	 */
	boolean isReusable() {
		return this.keepAlive && !internalBuffer().isReadable();
	}

	/**
	 * How long the backend says that it took.
	 * @return nanoseconds, negative if it did not say
	 */
	long backendNanos() {
		return this.backendNanos;
	}

	BodyTail body() {
		return this.body;
	}

}
