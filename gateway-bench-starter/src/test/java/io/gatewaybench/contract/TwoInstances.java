package io.gatewaybench.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.gatewaybench.contract.Gateway.RunningGateway;
import io.gatewaybench.contract.HttpExchange.Message;

/**
 * Two instances of one upstream, of which tests make one fail.
 */
final class TwoInstances implements AutoCloseable {

	static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";

	static final String ERROR = "HTTP/1.1 500 Internal Server Error\r\nFrom: bad\r\nContent-Length: 5\r\n\r\nsorry";

	static final String OBJECT = "HTTP/1.1 200 OK\r\nFrom: good\r\nContent-Type: application/json\r\n"
			+ "Content-Length: 7\r\n\r\n{\"a\":1}";

	static final String UPSTREAM = "gateway-bench.upstreams.service.";

	static final String EJECTION = "gateway-bench.load-balancing.ejection.";

	private final Gateway gateway;

	private volatile CountDownLatch end = new CountDownLatch(1);

	private RawUpstream good;

	private RawUpstream bad;

	/**
	 * Starts both. They answer {@link #OK}.
	 * @param gateway the gateway in front of them
	 */
	TwoInstances(Gateway gateway) throws IOException {
		this.gateway = gateway;
		this.good = new RawUpstream();
		this.good.answer(OK);
		this.bad = new RawUpstream();
		this.bad.answer(OK);
	}

	RawUpstream good() {
		return this.good;
	}

	RawUpstream bad() {
		return this.bad;
	}

	void restartGood() throws IOException {
		this.good = new RawUpstream(this.good.port());
		this.good.answer(OK);
	}

	void restartBad() throws IOException {
		this.bad = new RawUpstream(this.bad.port());
		this.bad.answer(OK);
	}

	/**
	 * Be as new for the next test.
	 */
	void startOver() throws IOException {
		endWaiting();
		this.end = new CountDownLatch(1);
		for (RawUpstream instance : List.of(this.good, this.bad)) {
			instance.startOver();
			instance.answer(OK);
		}
	}

	/**
	 * Waits until {@link #endWaiting}, in place of an answer.
	 */
	void await() throws IOException {
		RawUpstream.await(this.end);
	}

	void endWaiting() {
		this.end.countDown();
	}

	RunningGateway start(String... properties) {
		return this.gateway.startWithRoute(List.of(this.bad.url(), this.good.url()), properties);
	}

	/**
	 * The properties of a route for each name, with which its path begins. Each has an
	 * upstream of its own: what a test does to one changes neither the turns nor the
	 * ejections of another.
	 */
	List<String> routes(String... names) {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < names.length; i++) {
			all.addAll(Gateway.route(i, names[i] + "-route", names[i], List.of(this.bad.url(), this.good.url())));
		}
		return all;
	}

	static void breakOff(OutputStream out) throws IOException {
		out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\nFrom: bad\r\n\r\n{"
			.getBytes());
		out.flush();
		throw new IOException("Closed by the test");
	}

	static List<Integer> statuses(RunningGateway running, String request, int times) {
		return IntStream.range(0, times).mapToObj((i) -> {
			try {
				return HttpExchange.send(running.port(), request).status();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).toList();
	}

	static Message get(RunningGateway running) throws IOException {
		return get(running, "service");
	}

	static Message get(RunningGateway running, String route) throws IOException {
		return HttpExchange.get(running.port(), "/" + route + "/x");
	}

	@Override
	public void close() throws IOException {
		endWaiting();
		this.good.close();
		this.bad.close();
	}

}
