package io.gatewaybench.benchmark;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the address of an agent, such as {@code 10.0.0.7} or {@code load-1:1100}.
 */
final class AgentConverter implements ITypeConverter<InetSocketAddress> {

	/**
	 * JMeter's own port.
	 */
	static final int PORT = 1099;

	private static final Pattern ADDRESS = Pattern.compile("([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

	private static final int HIGHEST_PORT = 65_535;

	@Override
	public InetSocketAddress convert(String value) {
		Matcher matcher = ADDRESS.matcher(value.trim());
		int port = !matcher.matches() ? 0 : (matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : PORT;
		if (port < 1 || port >= HIGHEST_PORT) {
			throw new TypeConversionException("'" + value
					+ "' is no agent; write a host and a port below 65535, such as 10.0.0.7 or load-1:1100");
		}
		return InetSocketAddress.createUnresolved(matcher.group(1), port);
	}

}
