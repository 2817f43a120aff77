package io.gatewaybench.benchmark;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import io.gatewaybench.benchmark.faults.Fault;
import io.gatewaybench.benchmark.load.DurationText;
import io.gatewaybench.benchmark.topology.Heap;

/**
 * Reads the values of options.
 */
final class Converters {

	/**
	 * JMeter's own port.
	 */
	private static final int AGENT_PORT = 1099;

	private static final Pattern AGENT = Pattern.compile("([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

	private static final int HIGHEST_PORT = 65_535;

	private Converters() {
	}

	/**
	 * Reads {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h} and the ISO form
	 * {@code PT30S}.
	 */
	static Duration duration(String value) {
		Duration duration = DurationText.parse(value);
		if (duration == null) {
			throw new TypeConversionException("'" + value + "' is not a duration: write 30s, 2m or PT30S");
		}
		return duration;
	}

	/**
	 * Reads {@code 512m} and {@code 2g}.
	 */
	static Heap heap(String value) {
		try {
			return Heap.parse(value);
		}
		catch (IllegalArgumentException ex) {
			throw new TypeConversionException(ex.getMessage());
		}
	}

	/**
	 * Reads {@code slow-readers}.
	 */
	static Fault fault(String value) {
		return Stream.of(Fault.values())
			.filter((fault) -> fault.id().equals(value))
			.findFirst()
			.orElseThrow(() -> new TypeConversionException("There is no fault '" + value + "'; choose from: "
					+ Stream.of(Fault.values()).map(Fault::id).collect(Collectors.joining(", "))));
	}

	/**
	 * Reads the address of an agent, such as {@code 10.0.0.7} or {@code load-1:1100}.
	 */
	static InetSocketAddress agent(String value) {
		Matcher matcher = AGENT.matcher(value.trim());
		int port = !matcher.matches() ? 0
				: (matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : AGENT_PORT;
		if (port < 1 || port >= HIGHEST_PORT) {
			throw new TypeConversionException("'" + value
					+ "' is no agent; write a host and a port below 65535, such as 10.0.0.7 or load-1:1100");
		}
		return InetSocketAddress.createUnresolved(matcher.group(1), port);
	}

	/**
	 * Reads {@code 5%} as 0.05.
	 */
	static final class Percent implements ITypeConverter<Double> {

		@Override
		public Double convert(String value) {
			if (!value.matches("[0-9]{1,2}(\\.[0-9]{1,3})?%?") || Double.parseDouble(value.replace("%", "")) == 0) {
				throw new TypeConversionException("'" + value + "' is no percentage: write 5% or 2.5%");
			}
			return Double.parseDouble(value.replace("%", "")) / 100;
		}

	}

}
