package io.gatewaybench.sim;

import java.util.regex.Pattern;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An instance to start.
 *
 * @param name letters, digits, dots, dashes and underscores: it goes into a response
 * field
 * @param port port to listen on, 0 for a free one
 */
record InstanceAddress(String name, int port) {

	private static final Pattern SYNTAX = Pattern.compile("(?<name>[A-Za-z0-9._-]+)=(?<port>[0-9]{1,5})");

	private static final int MAX_PORT = 65535;

	/**
	 * Reads {@code name=port}.
	 */
	static final class Converter implements ITypeConverter<InstanceAddress> {

		@Override
		public InstanceAddress convert(String value) {
			var matcher = SYNTAX.matcher(value);
			if (matcher.matches() && Integer.parseInt(matcher.group("port")) <= MAX_PORT) {
				return new InstanceAddress(matcher.group("name"), Integer.parseInt(matcher.group("port")));
			}
			throw new TypeConversionException("'" + value
					+ "' is no instance, expected name=port such as service-a-1=8081 (port 0 for a free one)");
		}

	}

}
