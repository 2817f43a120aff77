package io.gatewaybench.sim;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RequestTargetTests {

	@ParameterizedTest
	@CsvSource({ "/api/hello,/api/hello", "/api/hello?delay=5,/api/hello", "http://host:80/api/hello?x,/api/hello",
			"/redirect?to=http://host/x,/redirect", "*,*", "http://host,http://host" })
	void thePathIsFound(String target, String path) {
		assertThat(RequestTarget.path(target)).isEqualTo(path);
	}

	@ParameterizedTest
	@CsvSource({ "/a?delay=0,0", "/a?delay=5,5", "/a?x=1&delay=60000,60000", "/a?delay=7&delay=8&y,7" })
	void theDelayIsFound(String target, long millis) {
		assertThat(RequestTarget.delayNanos(target)).isEqualTo(millis * 1_000_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/a", "/a?", "/a?x=delay=5", "/a?mydelay=5", "/a&delay=5", "/delay=5" })
	void noDelayIsFoundWhereThereIsNone(String target) {
		assertThat(RequestTarget.delayNanos(target)).isEqualTo(RequestTarget.NO_DELAY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "-1", "60001", "999999999999", "1.5", "5ms", "%35", "+5" })
	void anIllegalDelayIsRefused(String value) {
		assertThat(RequestTarget.delayNanos("/a?delay=" + value)).isEqualTo(RequestTarget.ILLEGAL_DELAY);
	}

	@ParameterizedTest
	@CsvSource({ "/a?kind=slow,slow", "/a?x=1&kind=slow&kind=b,slow", "/a?kind=,''", "/a?mykind=b,", "/a," })
	void aParameterIsTheFirstOfItsName(String target, String value) {
		assertThat(RequestTarget.parameter(target, "kind")).isEqualTo(value);
	}

}
