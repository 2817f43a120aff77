package io.gatewaybench.benchmark.failure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A text that is part of this program.
 */
public final class Resource {

	private Resource() {
	}

	/**
	 * Reads a text.
	 * @param owner the type beside which it is
	 * @param name the name of the file
	 * @return its content
	 */
	public static String text(Class<?> owner, String name) {
		try (InputStream in = owner.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name + " can't be read", ex);
		}
	}

}
