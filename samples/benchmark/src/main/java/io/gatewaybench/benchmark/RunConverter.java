package io.gatewaybench.benchmark;

import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.NamedRun;
import io.gatewaybench.benchmark.result.ResultsFile;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the results of a run by the name of its directory or file.
 */
final class RunConverter implements ITypeConverter<NamedRun> {

	@Override
	public NamedRun convert(String value) {
		try {
			return new NamedRun(value, ResultsFile.read(Path.of(value)));
		}
		catch (BenchFailure ex) {
			throw new TypeConversionException(ex.getMessage());
		}
	}

}
