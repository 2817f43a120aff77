package io.gatewaybench.internal.tomcat;

import java.io.IOException;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Lets a request have as many trailer fields as Tomcat allows headers. After the first
 * request of a connection, Tomcat fails at the ninth: the limit is that of memory which
 * it keeps for the next request (Tomcat 11.0.22).
 */
final class TrailerFields extends ValveBase {

	private static final int MOST = 100;

	TrailerFields() {
		super(true);
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		request.getCoyoteRequest().getMimeTrailerFields().setLimit(MOST);
		getNext().invoke(request, response);
	}

}
