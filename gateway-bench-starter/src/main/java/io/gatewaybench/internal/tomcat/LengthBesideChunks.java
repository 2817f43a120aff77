package io.gatewaybench.internal.tomcat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.buf.ByteChunk;

import org.springframework.http.HttpHeaders;

/**
 * Refuses a request with a length beside chunks, as somebody before the gateway may have
 * taken the length for its end (RFC 9112, section 6.1). Tomcat takes the chunks, drops
 * the length and tells nobody. Only the bytes of the head still have it.
 */
final class LengthBesideChunks extends ValveBase {

	private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

	LengthBesideChunks() {
		super(true);
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		boolean fine = response.getStatus() == HttpServletResponse.SC_OK;
		if (fine && request.getCoyoteRequest().getMimeHeaders().getValue(HttpHeaders.TRANSFER_ENCODING) != null
				&& hasLength(request.getCoyoteRequest().requestURI().getByteChunk())) {
			response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
			response.setContentLength(0);
			return;
		}
		getNext().invoke(request, response);
	}

	/**
	 * Whether a line of the head begins with the name of the length.
	 * @param target the target, which is a part of the head; one of HTTP/2 has no bytes
	 */
	private static boolean hasLength(ByteChunk target) {
		byte[] head = target.getBuffer();
		for (int i = target.isNull() ? Integer.MAX_VALUE : target.getStart(); i < head.length - 1; i++) {
			if (head[i] != '\n') {
				continue;
			}
			if (head[i + 1] == '\r' || head[i + 1] == '\n') {
				return false;
			}
			if (isLength(head, i + 1)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isLength(byte[] head, int start) {
		boolean same = head.length - start >= LENGTH.length;
		for (int i = 0; same && i < LENGTH.length; i++) {
			same = Character.toLowerCase(head[start + i]) == LENGTH[i];
		}
		return same;
	}

}
