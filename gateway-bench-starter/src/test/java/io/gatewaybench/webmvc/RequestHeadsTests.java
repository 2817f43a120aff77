package io.gatewaybench.webmvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.impl.io.SessionOutputBufferImpl;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestHeadsTests {

	private final RequestHeads heads = new RequestHeads();

	@Test
	void aHeadIsWrittenLineByLine() throws IOException {
		ClassicHttpRequest request = request();
		request.addHeader("Host", "example.com");
		request.addHeader("x-Twice", "1");
		request.addHeader("x-Twice", "");
		request.addHeader("X-None", null);
		assertThat(written(request))
			.isEqualTo("GET /path?a=b HTTP/1.1\r\nHost: example.com\r\nx-Twice: 1\r\nx-Twice: \r\nX-None: \r\n\r\n");
	}

	@Test
	void everyByteOfAHeaderLeavesAsItIs() throws IOException {
		String bytes = IntStream.range(0x80, 0x100).mapToObj(Character::toString).collect(Collectors.joining());
		ClassicHttpRequest request = request();
		request.addHeader("X-Bytes", "\t" + bytes);
		assertThat(written(request)).contains("X-Bytes: \t" + bytes + "\r\n");
	}

	@Test
	void noCharacterOfAValueBeginsAnotherLine() throws IOException {
		ClassicHttpRequest request = request();
		request.addHeader("X-Bytes", "a\r\nb\u010d\u010ac\u0000\u007fd");
		assertThat(written(request)).endsWith("X-Bytes: a  b??c  d\r\n\r\n");
	}

	@Test
	void aShortHeadFollowsALongOne() throws IOException {
		ClassicHttpRequest request = request();
		String value = "v".repeat(100_000);
		request.addHeader("X-Long", value);
		assertThat(written(request)).endsWith("X-Long: " + value + "\r\n\r\n");
		assertThat(written(request())).isEqualTo("GET /path?a=b HTTP/1.1\r\n\r\n");
	}

	private static ClassicHttpRequest request() {
		return new BasicClassicHttpRequest("GET", "/path?a=b");
	}

	private String written(ClassicHttpRequest request) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		SessionOutputBufferImpl buffer = new SessionOutputBufferImpl(8192);
		this.heads.write(request, buffer, out);
		buffer.flush(out);
		return out.toString(StandardCharsets.ISO_8859_1);
	}

}
