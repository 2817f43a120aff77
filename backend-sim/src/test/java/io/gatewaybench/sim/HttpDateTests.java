package io.gatewaybench.sim;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class HttpDateTests {

	@Test
	void theDateIsTheCurrentTimeInTheFormOfHttp() {
		String date = new String(HttpDate.now(), StandardCharsets.US_ASCII);
		assertThat(date).hasSize("Sun, 06 Nov 1994 08:49:37 GMT".length());
		assertThat(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)).isCloseTo(ZonedDateTime.now(),
				within(Duration.ofMinutes(1)));
	}

}
