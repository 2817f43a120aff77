package io.gatewaybench.benchmark;

import java.nio.file.Path;

import io.gatewaybench.benchmark.failure.BenchFailure;
import io.gatewaybench.benchmark.result.ResultsFile;
import io.gatewaybench.benchmark.result.RunResults;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the results of a run by the name of its directory or file.
 */
final class RunConverter implements ITypeConverter<RunResults> {

	@Override
	public RunResults convert(String value) {
		try {
			return ResultsFile.read(Path.of(value));
		}
		catch (BenchFailure ex) {
			throw new TypeConversionException(ex.getMessage());
		}
	}

}
