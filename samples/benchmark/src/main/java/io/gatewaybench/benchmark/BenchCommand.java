package io.gatewaybench.benchmark;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What commands have in common: where they print, and how they refuse.
 */
abstract class BenchCommand implements Callable<Integer> {

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	CommandLine line() {
		return this.spec.commandLine();
	}

	PrintWriter out() {
		return line().getOut();
	}

	/**
	 * The arguments of {@code ./bench}, for the record.
	 */
	List<String> arguments() {
		return this.spec.root().commandLine().getParseResult().originalArgs();
	}

	void check(boolean holds, String message) {
		if (!holds) {
			throw usage(message);
		}
	}

	void checkRange(String option, @Nullable Number value, long least, long most) {
		check(value == null || (value.doubleValue() >= least && value.doubleValue() <= most),
				option + " " + value + " is not possible; use " + least + " to " + most);
	}

	ParameterException usage(String message) {
		return new ParameterException(line(), message);
	}

}
