package io.gatewaybench.benchmark;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 5%} as 0.05.
 */
final class PercentConverter implements ITypeConverter<Double> {

	@Override
	public Double convert(String value) {
		if (!value.matches("[0-9]{1,2}(\\.[0-9]{1,3})?%?") || Double.parseDouble(value.replace("%", "")) == 0) {
			throw new TypeConversionException("'" + value + "' is no percentage: write 5% or 2.5%");
		}
		return Double.parseDouble(value.replace("%", "")) / 100;
	}

}
