package io.gatewaybench.webmvc;

import io.gatewaybench.upstream.UpstreamTimeouts;
import io.gatewaybench.upstream.Watchdog;
import org.assertj.core.api.AbstractCollectionAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request that is sent again and again leaves nothing behind that is watched over.
 */
class ResponseWatchTests {

	private final Watchdog watchdog = new Watchdog();

	@AfterEach
	void close() {
		this.watchdog.close();
	}

	@Test
	void aRequestHasOneWatchHoweverOftenItIsSent() {
		MockHttpServletRequest request = new MockHttpServletRequest();
		ResponseWatch.begin(request, UpstreamTimeouts.NONE, null, this.watchdog);
		ResponseWatch last = ResponseWatch.begin(request, UpstreamTimeouts.NONE, null, this.watchdog);
		assertThat(ResponseWatch.of(request)).isSameAs(last);
		assertThatWatches().hasSize(1);
		last.close();
		assertThatWatches().isEmpty();
	}

	private AbstractCollectionAssert<?, ?, Object, ?> assertThatWatches() {
		return assertThat(this.watchdog).extracting("watches", InstanceOfAssertFactories.COLLECTION);
	}

}
