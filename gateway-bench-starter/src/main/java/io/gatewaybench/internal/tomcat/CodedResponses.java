package io.gatewaybench.internal.tomcat;

import java.io.IOException;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

import org.springframework.http.HttpHeaders;

/**
 * Lets the gateway keep Tomcat from compressing a response. Tomcat codes parts of bodies
 * and what has {@code no-transform} or a digest. It looks at the request at the last
 * moment, when nobody else needs to know any more which codings the client accepts.
 */
final class CodedResponses extends ValveBase {

	CodedResponses() {
		super(true);
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		Runnable leaveUncoded = () -> request.getCoyoteRequest()
			.getMimeHeaders()
			.removeHeader(HttpHeaders.ACCEPT_ENCODING);
		request.setAttribute(RequestAttributes.LEAVE_UNCODED, leaveUncoded);
		getNext().invoke(request, response);
	}

}
