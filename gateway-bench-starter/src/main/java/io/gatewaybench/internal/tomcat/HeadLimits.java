package io.gatewaybench.internal.tomcat;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.http.MimeHeaders;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * Tells a client what of its request is too large (RFC 9110, section 15.5.15; RFC 6585,
 * section 5), as Reactor Netty does. Tomcat counts the line and the headers together, and
 * answers 400.
 */
final class HeadLimits extends ValveBase {

	/** Colon, space and line end. */
	private static final int PUNCTUATION = 4;

	private final int limit;

	/**
	 * Create the limits.
	 * @param limit the most bytes of the target, and of all headers
	 */
	HeadLimits(int limit) {
		super(true);
		this.limit = limit;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		HttpStatus tooLarge = tooLarge(request.getCoyoteRequest());
		if (tooLarge == null || response.getStatus() != HttpServletResponse.SC_OK) {
			getNext().invoke(request, response);
			return;
		}
		response.setStatus(tooLarge.value());
		response.setHeader(HttpHeaders.CONNECTION, "close");
		response.setContentLength(0);
	}

	private @Nullable HttpStatus tooLarge(org.apache.coyote.Request request) {
		if (request.requestURI().getLength() + request.queryString().getLength() > this.limit) {
			return HttpStatus.URI_TOO_LONG;
		}
		MimeHeaders headers = request.getMimeHeaders();
		int size = 0;
		for (int i = 0; i < headers.size(); i++) {
			size += headers.getName(i).getLength() + headers.getValue(i).getLength() + PUNCTUATION;
		}
		return (size > this.limit) ? HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE : null;
	}

}
