package io.gatewaybench.benchmark;

import io.gatewaybench.benchmark.topology.Heap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code 512m} and {@code 2g}.
 */
final class HeapConverter implements ITypeConverter<Heap> {

	@Override
	public Heap convert(String value) {
		try {
			return Heap.parse(value);
		}
		catch (IllegalArgumentException ex) {
			throw new TypeConversionException(ex.getMessage());
		}
	}

}
