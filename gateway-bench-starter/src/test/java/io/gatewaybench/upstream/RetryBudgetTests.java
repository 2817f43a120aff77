package io.gatewaybench.upstream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RetryBudgetTests {

	private static final long SECOND = 1_000_000_000;

	private long now = Long.MAX_VALUE - SECOND;

	private long requests;

	private final RetryBudget budget = new RetryBudget(this.now, this.requests);

	@Test
	void aFewRetriesAreAlwaysPossible() {
		assertThat(retries(1000)).isEqualTo(100);
	}

	@Test
	void aFifthOfTheRequestsMayBeRetried() {
		this.requests += 1000;
		assertThat(retries(1000)).isEqualTo(300);
		assertThat(retries(1000)).isZero();
	}

	@Test
	void theBudgetOfTheLastSecondsCountsAndItsRetriesToo() {
		this.requests += 1000;
		assertThat(retries(150)).isEqualTo(150);
		this.now += 11 * SECOND;
		assertThat(retries(1000)).isEqualTo(150);
		this.now += 11 * SECOND;
		assertThat(retries(1000)).isZero();
		this.now += 11 * SECOND;
		assertThat(retries(1000)).isEqualTo(100);
	}

	@Test
	void afterACalmTheRateOfTheRequestsIsTheMeasure() {
		this.requests += 60_000;
		this.now += 600 * SECOND;
		assertThat(retries(1000)).isEqualTo(300);
	}

	private int retries(int wanted) {
		int granted = 0;
		for (int i = 0; i < wanted; i++) {
			granted += this.budget.withdraw(this.now, this.requests) ? 1 : 0;
		}
		return granted;
	}

}
