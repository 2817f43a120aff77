package io.gatewaybench.webmvc;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.gatewaybench.internal.filter.RequestBodies;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange.Request;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.WebUtils;

/**
 * The body of a request as the client sent it, unless a filter of the route has replaced
 * it.
 */
final class ClientBody {

	private ClientBody() {
	}

	/**
	 * Tell length and type as the client did. The gateway leaves out the length, and
	 * Spring adds the charset of the servlet request to the type.
	 */
	static void restore(Request request) {
		rewind(request);
		HttpServletRequest servletRequest = request.getServerRequest().servletRequest();
		HttpHeaders headers = request.getHeaders();
		String length = servletRequest.getHeader(HttpHeaders.CONTENT_LENGTH);
		if (length != null && isUntouched(servletRequest, length)) {
			headers.set(HttpHeaders.CONTENT_LENGTH, length);
		}
		String type = servletRequest.getHeader(HttpHeaders.CONTENT_TYPE);
		if (type != null && isTypeOf(servletRequest, type, headers.getFirst(HttpHeaders.CONTENT_TYPE))) {
			headers.set(HttpHeaders.CONTENT_TYPE, type);
		}
	}

	/**
	 * Begin a form anew of which something was read.
	 */
	static void rewind(Request request) {
		FormRequest form = ServletExchange.formOf(request.getServerRequest().servletRequest());
		if (form != null) {
			try {
				form.send();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * Read a short body that the client has not sent to its end yet.
	 * @param held whether to read it in any case, as somebody else needs it
	 * @return whether nothing more will come
	 */
	static boolean readAhead(HttpServletRequest request, RequestBodies bodies, boolean held) {
		RequestWithBody watched = WebUtils.getNativeRequest(request, RequestWithBody.class);
		if (watched == null || !isOfClient(request)) {
			return true;
		}
		try {
			return watched.readAhead(bodies, held);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The whole body as it is sent, if it has been read before.
	 */
	static byte @Nullable [] held(HttpServletRequest request) {
		RequestWithBody watched = WebUtils.getNativeRequest(request, RequestWithBody.class);
		return (watched != null && ServletExchange.formOf(request) == null && isOfClient(request)) ? watched.held()
				: null;
	}

	/**
	 * Whether bytes of the body have been read that would be missing if it were sent. A
	 * filter that has kept the body puts another stream in its place. Spring's wrapper
	 * that keeps the body for a log does not give it again.
	 */
	static boolean isGone(HttpServletRequest request) {
		RequestWithBody watched = WebUtils.getNativeRequest(request, RequestWithBody.class);
		if (watched == null) {
			return false;
		}
		FormRequest form = ServletExchange.formOf(request);
		try {
			boolean read = watched.isReadBeyond((form != null) ? form.kept() : 0) || PartsRequest.isRead(request)
					|| watched.isReadByContainer();
			return read && (isOfClient(request) || isLogged(request));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isLogged(HttpServletRequest request) throws IOException {
		return WebUtils.getNativeRequest(request, ContentCachingRequestWrapper.class) != null
				&& request.getInputStream().isFinished();
	}

	/**
	 * Whether the request has a body, that of the client or of a filter. Jetty calls a
	 * body that is not there unfinished until somebody has tried to read it.
	 */
	static boolean exists(HttpServletRequest request) {
		try {
			ServletInputStream body = request.getInputStream();
			return !body.isFinished()
					&& (RequestWithBody.mayHaveBody(request) || body != ofContainer(request).getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ServletRequest ofContainer(ServletRequest request) {
		ServletRequest inner = request;
		while (inner instanceof ServletRequestWrapper wrapper) {
			inner = wrapper.getRequest();
		}
		return inner;
	}

	private static boolean isOfClient(HttpServletRequest request) {
		try {
			ServletInputStream body = request.getInputStream();
			return RequestWithBody.isBody(body) || FormRequest.isBody(body);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isUntouched(HttpServletRequest request, String length) {
		try {
			return isOfClient(request) || (length.equals("0") && request.getInputStream().isFinished());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static boolean isTypeOf(HttpServletRequest request, String type, @Nullable String told) {
		String encoding = request.getCharacterEncoding();
		if (told == null || encoding == null || told.equals(type)) {
			return false;
		}
		try {
			MediaType parsed = MediaType.parseMediaType(type);
			return parsed.getCharset() == null && told.equals(withCharset(parsed, encoding));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	private static String withCharset(MediaType type, String charset) {
		return type + ";charset=" + charset;
	}

}
