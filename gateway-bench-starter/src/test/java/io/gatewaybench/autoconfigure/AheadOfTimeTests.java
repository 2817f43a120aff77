package io.gatewaybench.autoconfigure;

import java.lang.reflect.Field;
import java.util.stream.Stream;

import io.gatewaybench.Flavour;
import io.gatewaybench.internal.routing.PrivateField;
import io.gatewaybench.webmvc.GatewayFilterFunctions;
import org.apache.hc.core5.http.io.EofSensorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a native image needs to be told. That a gateway works after this processing is
 * tested on the samples, by {@code .ci/matrix}.
 */
@ParameterizedClass
@EnumSource(Flavour.class)
class AheadOfTimeTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	@Parameter
	Flavour flavour;

	@Test
	void everyBeanOfTheStarterIsMadeByGeneratedCodeAndWhatIsReadByReflectionIsKept() {
		runner().prepare((context) -> {
			InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get(AheadOfTimeTests.class)), files);
			new ApplicationContextAotGenerator()
				.processAheadOfTime((GenericApplicationContext) context.getSourceApplicationContext(), generation);
			generation.writeGeneratedContent();
			assertThat(files.getGeneratedFiles(Kind.SOURCE))
				.containsKey("io/gatewaybench/autoconfigure/GatewayBenchAutoConfiguration__BeanDefinitions.java");
			assertHints(generation.getRuntimeHints());
		});
	}

	private void assertHints(RuntimeHints hints) throws Exception {
		assertThat(REFLECTION.onType(GatewayBenchProperties.HttpClient.class)).accepts(hints);
		switch (this.flavour) {
			case WEBFLUX -> assertThatFieldsAreKept("io.gatewaybench.webflux.PathConditions", 13, hints);
			case WEBMVC -> {
				assertThatFieldsAreKept("io.gatewaybench.webmvc.RouterList", 3, hints);
				assertThat(REFLECTION.onMethodInvocation(GatewayFilterFunctions.class, "stripGatewayPrefix"))
					.accepts(hints);
				assertThat(REFLECTION.onType(EofSensorInputStream.class)).accepts(hints);
				Class<?> stream = Class.forName("org.apache.coyote.http2.Stream");
				assertThat(REFLECTION.onMethodInvocation(stream.getDeclaredMethod("canWrite"))).accepts(hints);
				assertThat(REFLECTION.onFieldAccess(stream.getName() + "$StandardStreamInputBuffer", "this$0"))
					.accepts(hints);
			}
		}
	}

	/**
	 * Each field that the class has a constant for.
	 */
	private static void assertThatFieldsAreKept(String reader, int count, RuntimeHints hints) throws Exception {
		assertThat(Stream.of(Class.forName(reader).getDeclaredFields())
			.filter((constant) -> constant.getType() == PrivateField.class)
			.map(AheadOfTimeTests::field))
			.hasSize(count)
			.allSatisfy((field) -> assertThat(
					hints.reflection().getTypeHint(TypeReference.of(field.getDeclaringClass().getName())))
				.isNotNull()
				.satisfies(
						(hint) -> assertThat(hint.fields()).extracting(FieldHint::getName).contains(field.getName())));
	}

	private static Field field(Field constant) {
		constant.setAccessible(true);
		try {
			return (Field) ReflectionTestUtils.getField(constant.get(null), "field");
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private AbstractApplicationContextRunner<?, ?, ?> runner() {
		// Spring Cloud's scope for refreshes cannot be processed
		return switch (this.flavour) {
			case WEBFLUX -> new ReactiveWebApplicationContextRunner().withUserConfiguration(Gateways.Application.class)
				.withPropertyValues("spring.cloud.refresh.enabled=false");
			case WEBMVC -> new WebApplicationContextRunner().withUserConfiguration(Gateways.Application.class)
				.withPropertyValues("spring.cloud.refresh.enabled=false",
						"spring.cloud.gateway.server.webflux.enabled=false");
		};
	}

}
