package io.gatewaybench.webmvc;

import java.io.IOException;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;

/**
 * Makes a client see that the upstream broke off, where the gateway would end the
 * response as if it were complete: as an error while nothing has been sent, else as a
 * connection that closes too early.
 */
final class BrokenTransferFilter implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		chain.doFilter(request, response);
		UpstreamBody body = UpstreamBody.of((HttpServletRequest) request);
		if (body == null || !body.isBroken()) {
			return;
		}
		if (response.isCommitted()) {
			throw new IOException("The upstream broke off its response");
		}
		response.reset();
		((HttpServletResponse) response).sendError(HttpStatus.BAD_GATEWAY.value());
	}

}
