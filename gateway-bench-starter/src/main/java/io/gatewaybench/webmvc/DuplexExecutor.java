package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * Lets an upstream answer while it still reads the request. Apache's client sends all of
 * a request before it reads anything. With an upstream that sends back what it reads, as
 * a converter does, both would wait for each other. So another thread sends the body,
 * unless it is so short that the system takes all of it.
 */
final class DuplexExecutor extends HttpRequestExecutor {

	private static final int SHORT = 16 * 1024;

	private static final String SENDING = DuplexExecutor.class.getName();

	/**
	 * The last byte of a request is sent a moment before its thread knows.
	 */
	private static final int MOMENT_MILLIS = 20;

	/**
	 * Whether the request was sent when its response began. Otherwise a part of it may
	 * follow, and the connection can't be used again.
	 */
	static boolean isSent(HttpContext context) {
		return context.getAttribute(SENDING) == null;
	}

	@Override
	public ClassicHttpResponse execute(ClassicHttpRequest request, HttpClientConnection connection,
			@Nullable HttpResponseInformationCallback interim, HttpContext context) throws IOException, HttpException {
		HttpEntity entity = request.getEntity();
		if (entity == null || (entity.getContentLength() >= 0 && entity.getContentLength() <= SHORT)) {
			return super.execute(request, connection, interim, context);
		}
		HttpCoreContext core = HttpCoreContext.castOrCreate(context);
		core.setSSLSession(connection.getSSLSession());
		core.setEndpointDetails(connection.getEndpointDetails());
		request.setEntity(new PromptEntity(entity));
		connection.sendRequestHeader(request);
		CompletableFuture<@Nullable Void> sending = Attempt.sendMeanwhile(() -> {
			send(request, connection);
			return null;
		});
		try {
			ClassicHttpResponse response = receive(request, connection, interim, core);
			if (!isDone(sending)) {
				context.setAttribute(SENDING, Boolean.TRUE);
			}
			return response;
		}
		catch (IOException | HttpException | RuntimeException ex) {
			connection.close(CloseMode.IMMEDIATE);
			// Nobody else may read the body as long as this one does
			throw firstOf(ex, failure(sending));
		}
	}

	/**
	 * An upstream that does not want the rest may have answered before it closed the
	 * connection. What else goes wrong would leave the upstream waiting.
	 */
	private static void send(ClassicHttpRequest request, HttpClientConnection connection)
			throws IOException, HttpException {
		boolean sent = false;
		try {
			connection.sendRequestEntity(request);
			connection.flush();
			sent = true;
		}
		catch (SocketException ex) {
			sent = true;
			throw ex;
		}
		finally {
			if (!sent) {
				connection.close(CloseMode.IMMEDIATE);
			}
		}
	}

	private static ClassicHttpResponse receive(ClassicHttpRequest request, HttpClientConnection connection,
			@Nullable HttpResponseInformationCallback interim, HttpCoreContext context)
			throws IOException, HttpException {
		ClassicHttpResponse response = connection.receiveResponseHeader();
		while (response.getCode() < HttpStatus.SC_SUCCESS) {
			if (response.getCode() < HttpStatus.SC_INFORMATIONAL) {
				throw new ProtocolException("The upstream sent the status " + response.getCode());
			}
			if (interim != null && response.getCode() != HttpStatus.SC_CONTINUE) {
				interim.execute(response, connection, context);
			}
			response = connection.receiveResponseHeader();
		}
		if (MessageSupport.canResponseHaveBody(request.getMethod(), response)) {
			connection.receiveResponseEntity(response);
		}
		return response;
	}

	private static boolean isDone(CompletableFuture<@Nullable Void> sending) {
		try {
			sending.get(MOMENT_MILLIS, TimeUnit.MILLISECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			return false;
		}
	}

	private static @Nullable Throwable failure(CompletableFuture<@Nullable Void> sending) {
		try {
			sending.join();
			return null;
		}
		catch (CompletionException ex) {
			return ex.getCause();
		}
	}

	/**
	 * What failed to be sent because the connection was closed is no cause.
	 */
	private static IOException firstOf(Exception receiving, @Nullable Throwable sending) throws HttpException {
		if (sending instanceof RuntimeException error) {
			throw error;
		}
		if (receiving instanceof HttpException error) {
			throw error;
		}
		if (receiving instanceof RuntimeException error) {
			throw error;
		}
		return (IOException) receiving;
	}

	private static final class PromptEntity extends HttpEntityWrapper {

		PromptEntity(HttpEntity entity) {
			super(entity);
		}

		@Override
		public void writeTo(OutputStream out) throws IOException {
			super.writeTo(new PromptStream(out));
		}

	}

}
