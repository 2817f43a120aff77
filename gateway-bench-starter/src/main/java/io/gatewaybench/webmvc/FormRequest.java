package io.gatewaybench.webmvc;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * Request with a form. What filters read of it, or of its parameters, is kept until it is
 * sent, so that the upstream gets the bytes of the client.
 */
final class FormRequest extends HttpServletRequestWrapper {

	/**
	 * A form whose parameters a filter asks for has to fit into memory. Tomcat has the
	 * same limit unless it is configured.
	 */
	private static final int MAX_PARSED = 2 * 1024 * 1024;

	/**
	 * Many short parameters take far more memory than their bytes. Tomcat has the same
	 * limit unless it is configured.
	 */
	private static final int MAX_PARAMETERS = 1000;

	private final ByteArrayOutputStream read = new ByteArrayOutputStream(0);

	private @Nullable ServletInputStream kept;

	private @Nullable ServletInputStream sent;

	private @Nullable Map<String, String[]> parameters;

	private @Nullable Refusal refusal;

	private boolean parsedByContainer;

	private FormRequest(HttpServletRequest request) {
		super(request);
	}

	/**
	 * Keep what is read of a form.
	 */
	static HttpServletRequest decorate(HttpServletRequest request, ServletExchange exchange) {
		String type = request.getContentType();
		if (type == null || !type.contains(MediaType.APPLICATION_FORM_URLENCODED_VALUE)) {
			return request;
		}
		FormRequest form = new FormRequest(request);
		exchange.form(form);
		return form;
	}

	static boolean isBody(InputStream body) {
		return body instanceof BodyStream;
	}

	/**
	 * From now on the body is the whole one that the client sent.
	 */
	void send() throws IOException {
		if (!this.parsedByContainer) {
			this.sent = (this.read.size() == 0) ? super.getInputStream()
					: new Replay(new ByteArrayInputStream(this.read.toByteArray()), super.getInputStream());
		}
	}

	/**
	 * How many bytes of the body can be sent once more.
	 */
	int kept() {
		return this.read.size();
	}

	boolean isSent() {
		return this.sent != null;
	}

	/**
	 * Let the container parse the parameters. It reads the body itself, so the body can't
	 * be kept.
	 */
	void leaveToContainer() {
		this.parsedByContainer |= (this.parameters == null && this.read.size() == 0);
	}

	@Override
	public ServletInputStream getInputStream() throws IOException {
		if (this.sent != null) {
			return this.sent;
		}
		ServletInputStream current = this.kept;
		if (current == null) {
			current = new Kept(super.getInputStream());
			this.kept = current;
		}
		return current;
	}

	@Override
	public BufferedReader getReader() throws IOException {
		return new BufferedReader(new InputStreamReader(getInputStream(), charset()));
	}

	@Override
	public @Nullable String getParameter(String name) {
		String[] values = getParameterMap().get(name);
		return (values != null) ? values[0] : null;
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		if (!HttpMethod.POST.matches(getMethod())) {
			return super.getParameterMap();
		}
		if (this.parameters == null && !this.parsedByContainer) {
			this.parsedByContainer = getContentLengthLong() > MAX_PARSED;
		}
		return this.parsedByContainer ? super.getParameterMap() : parameters();
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return Collections.enumeration(getParameterMap().keySet());
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		return getParameterMap().get(name);
	}

	private Map<String, String[]> parameters() {
		Map<String, String[]> current = this.parameters;
		if (current == null) {
			if (this.refusal != null) {
				throw this.refusal;
			}
			try {
				current = parse();
			}
			catch (Refusal ex) {
				this.refusal = ex;
				throw ex;
			}
			this.parameters = current;
		}
		return current;
	}

	/**
	 * As the container does: first the parameters of the query, then those of the body
	 * unless it has been read.
	 */
	private Map<String, String[]> parse() {
		MultiValueMap<String, String> parsed = new LinkedMultiValueMap<>();
		String query = getQueryString();
		int count = (query == null) ? 0
				: parse(query.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8, parsed, 0);
		if (this.kept == null && this.sent == null) {
			Charset charset = charset();
			parse(readBody(), charset, parsed, count);
		}
		Map<String, String[]> values = new LinkedHashMap<>();
		parsed.forEach((name, list) -> values.put(name, list.toArray(String[]::new)));
		return Collections.unmodifiableMap(values);
	}

	private byte[] readBody() {
		byte[] body;
		try {
			body = getInputStream().readNBytes(MAX_PARSED + 1);
		}
		catch (IOException ex) {
			throw new Refusal(RequestWithBody.isTimeout(ex) ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.BAD_REQUEST,
					"The client did not send its form to the end", ex);
		}
		if (body.length > MAX_PARSED) {
			throw new Refusal(HttpStatus.CONTENT_TOO_LARGE, "The form has more than %d bytes".formatted(MAX_PARSED),
					null);
		}
		return body;
	}

	private static int parse(byte[] form, Charset charset, MultiValueMap<String, String> parsed, int before) {
		int count = before;
		int start = 0;
		while (start < form.length) {
			int end = indexOf('&', form, start, form.length);
			int equals = indexOf('=', form, start, end);
			if (equals > start) {
				if (++count > MAX_PARAMETERS) {
					throw new Refusal(HttpStatus.BAD_REQUEST,
							"The form has more than %d parameters".formatted(MAX_PARAMETERS), null);
				}
				parsed.add(decode(form, start, equals, charset), decode(form, Math.min(equals + 1, end), end, charset));
			}
			start = end + 1;
		}
		return count;
	}

	private static int indexOf(char wanted, byte[] form, int start, int end) {
		int index = start;
		while (index < end && form[index] != wanted) {
			index++;
		}
		return index;
	}

	private static String decode(byte[] form, int start, int end, Charset charset) {
		ByteBuffer decoded = ByteBuffer.allocate(end - start);
		int index = start;
		while (index < end) {
			byte next = form[index++];
			if (next == '%') {
				decoded.put((byte) (digit(form, index++, end) << 4 | digit(form, index++, end)));
			}
			else {
				decoded.put((next != '+') ? next : (byte) ' ');
			}
		}
		try {
			return charset.newDecoder().decode(decoded.flip()).toString();
		}
		catch (CharacterCodingException ex) {
			throw new Refusal(HttpStatus.BAD_REQUEST, "The form is not text in " + charset, ex);
		}
	}

	private static int digit(byte[] form, int index, int end) {
		int digit = (index < end) ? Character.digit(form[index], 16) : -1;
		if (digit < 0) {
			throw new Refusal(HttpStatus.BAD_REQUEST, "A % is not followed by two hexadecimal digits", null);
		}
		return digit;
	}

	/**
	 * Tomcat also falls back if it does not know the charset.
	 */
	private Charset charset() {
		String encoding = getCharacterEncoding();
		try {
			return (encoding != null) ? Charset.forName(encoding) : StandardCharsets.ISO_8859_1;
		}
		catch (IllegalArgumentException ex) {
			return StandardCharsets.ISO_8859_1;
		}
	}

	/**
	 * Tells the filter that asked for the parameters, as the container does, that there
	 * are none to be had.
	 */
	static final class Refusal extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		private final HttpStatus status;

		Refusal(HttpStatus status, String message, @Nullable Exception cause) {
			super(message, cause);
			this.status = status;
		}

		/**
		 * Find it in what a filter has thrown, or the servlet, which puts an exception of
		 * its own around it.
		 */
		static @Nullable Refusal in(Exception error) {
			Throwable refusal = (error instanceof ServletException) ? error.getCause() : error;
			return (refusal instanceof Refusal found) ? found : null;
		}

		int status() {
			return this.status.value();
		}

	}

	/**
	 * What is read before the request is sent.
	 */
	private final class Kept extends BodyStream {

		Kept(ServletInputStream body) {
			super(body);
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			int count = body().read(target, offset, length);
			if (count > 0) {
				FormRequest.this.read.write(target, offset, count);
			}
			return count;
		}

	}

	/**
	 * What has been read, and then the rest.
	 */
	private static final class Replay extends BodyStream {

		private final ByteArrayInputStream read;

		Replay(ByteArrayInputStream read, ServletInputStream rest) {
			super(rest);
			this.read = read;
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			return (this.read.available() > 0) ? this.read.read(target, offset, length)
					: body().read(target, offset, length);
		}

		@Override
		public boolean isFinished() {
			return this.read.available() == 0 && super.isFinished();
		}

	}

	private abstract static class BodyStream extends ServletInputStream {

		private final ServletInputStream body;

		BodyStream(ServletInputStream body) {
			this.body = body;
		}

		final ServletInputStream body() {
			return this.body;
		}

		@Override
		public int read() throws IOException {
			byte[] single = new byte[1];
			return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xff;
		}

		@Override
		public abstract int read(byte[] target, int offset, int length) throws IOException;

		@Override
		public boolean isFinished() {
			return this.body.isFinished();
		}

		@Override
		public boolean isReady() {
			return this.body.isReady();
		}

		@Override
		public void setReadListener(ReadListener listener) {
			this.body.setReadListener(listener);
		}

	}

}
