package io.gatewaybench.webmvc;

import java.io.IOException;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * Request whose body has parts. The container reads the body itself when it is asked for
 * a parameter, and nothing of it could be sent. Only who asks for the parts gets them, as
 * a controller of the application does, and the parameters in them from then on.
 */
final class PartsRequest extends QueryRequest {

	private boolean read;

	private PartsRequest(HttpServletRequest request) {
		super(request);
	}

	static HttpServletRequest decorate(HttpServletRequest request) {
		String type = request.getContentType();
		return (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) ? new PartsRequest(request)
				: request;
	}

	/**
	 * Whether the container has read the body.
	 */
	static boolean isRead(HttpServletRequest request) {
		PartsRequest parts = WebUtils.getNativeRequest(request, PartsRequest.class);
		return parts != null && parts.read;
	}

	@Override
	public Collection<Part> getParts() throws IOException, ServletException {
		this.read = true;
		return super.getParts();
	}

	@Override
	public @Nullable Part getPart(String name) throws IOException, ServletException {
		this.read = true;
		return super.getPart(name);
	}

	@Override
	public @Nullable String getParameter(String name) {
		return this.read ? getRequest().getParameter(name) : super.getParameter(name);
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		return this.read ? getRequest().getParameterMap() : super.getParameterMap();
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return this.read ? getRequest().getParameterNames() : super.getParameterNames();
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		return this.read ? getRequest().getParameterValues(name) : super.getParameterValues(name);
	}

}
