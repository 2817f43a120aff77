package io.gatewaybench.internal.rewrite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.gatewaybench.rewrite.Engine;
import io.gatewaybench.rewrite.GatewayMetadata;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each engine of Jackson's needs its own Jackson only, and splice none. The annotations
 * are no part of the choice: Jackson 3 uses those of Jackson 2.
 */
class EngineClassPathTests {

	private static final Class<?>[] JACKSON3 = { tools.jackson.core.JsonParser.class,
			tools.jackson.databind.JsonNode.class, JsonInclude.class };

	private static final Class<?>[] JACKSON2 = { com.fasterxml.jackson.core.JsonParser.class,
			com.fasterxml.jackson.databind.JsonNode.class, JsonInclude.class };

	@Test
	void spliceWorksWithoutAnyLibrary() throws Exception {
		assertThat(rewriteWith("SPLICE")).isEqualTo("{\"x\":{\"type\":\"t\",\"timestamp\":0,\"processed\":true}}");
	}

	@Test
	void jackson3WorksWithoutJackson2() throws Exception {
		assertThat(rewriteWith("JACKSON3", JACKSON3))
			.isEqualTo("{\"x\":{\"type\":\"t\",\"timestamp\":0,\"processed\":true}}");
	}

	@Test
	void jackson2WorksWithoutJackson3() throws Exception {
		assertThat(rewriteWith("JACKSON2", JACKSON2))
			.isEqualTo("{\"x\":{\"type\":\"t\",\"timestamp\":0,\"processed\":true}}");
	}

	@Test
	void jackson3WithoutItsLibraryIsRefusedWithTheDependencyToAdd() {
		assertThatIllegalStateException().isThrownBy(() -> rewriteWith("JACKSON3", JACKSON2))
			.withMessage("engine jackson3 needs a library that is not on the class path: "
					+ "add the dependency tools.jackson.core:jackson-databind or choose another engine");
	}

	@Test
	void jackson2WithoutItsLibraryIsRefusedWithTheDependencyToAdd() {
		assertThatIllegalStateException().isThrownBy(() -> rewriteWith("JACKSON2", JACKSON3))
			.withMessage("engine jackson2 needs a library that is not on the class path: "
					+ "add the dependency com.fasterxml.jackson.core:jackson-databind or choose another engine");
	}

	/**
	 * Rewrites an empty object on a class path of this package and the given libraries.
	 */
	private static String rewriteWith(String engine, Class<?>... libraries) throws Exception {
		URL[] path = Stream.concat(Stream.of(EngineClassPathTests.class, BodyRewriter.class), Stream.of(libraries))
			.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
			.toArray(URL[]::new);
		try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
			Method rewrite = loader.loadClass(Probe.class.getName()).getDeclaredMethod("rewrite", String.class);
			rewrite.setAccessible(true);
			return (String) rewrite.invoke(null, engine);
		}
		catch (InvocationTargetException ex) {
			throw (Exception) ex.getCause();
		}
	}

	/**
	 * Runs inside the narrow class path.
	 */
	static final class Probe {

		private Probe() {
		}

		static String rewrite(String engine) {
			CountingChunks chunks = new CountingChunks();
			var body = BodyRewriter
				.of(new RewriteSettings("x", Engine.valueOf(engine), 10, GatewayMetadata.of("t", () -> 0)))
				.begin(chunks, -1);
			body.add(chunks.chunk("{}"));
			body.end();
			return new String(chunks.drain(body), StandardCharsets.UTF_8);
		}

	}

}
