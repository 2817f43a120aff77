package io.gatewaybench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the house.
 */
class ArchitectureTests {

	private static final String ROOT = "io.gatewaybench";

	private static final String INTERNAL = ROOT + ".internal";

	private static final String[] REWRITE = withInternal("rewrite");

	private static final String[] METRICS = withInternal("metrics");

	private static final String NETTY = INTERNAL + ".netty";

	private static final String TOMCAT = INTERNAL + ".tomcat";

	private static final String WEBFLUX = ROOT + ".webflux";

	private static final String WEBMVC = ROOT + ".webmvc";

	private static final String ACTUATE = ROOT + ".actuate";

	private static final String[] AUTO_CONFIGURATION = withInternal("autoconfigure");

	private static final String[] NEUTRAL = concat(new String[] { ROOT, INTERNAL, INTERNAL + ".exchange" }, REWRITE,
			METRICS, withInternal("upstream"), withInternal("routing"), withInternal("filter"));

	/**
	 * How many public types a package has, so that one more is a decision.
	 */
	private static final Map<String, Integer> BUDGET = Map.ofEntries(Map.entry(ROOT, 1),
			Map.entry(ROOT + ".rewrite", 3), Map.entry(ROOT + ".metrics", 7), Map.entry(ROOT + ".upstream", 13),
			Map.entry(ROOT + ".routing", 2), Map.entry(ROOT + ".filter", 3), Map.entry(WEBFLUX, 3),
			Map.entry(WEBMVC, 4), Map.entry(ACTUATE, 2), Map.entry(ROOT + ".autoconfigure", 2));

	private static final JavaClasses MAIN = new ClassFileImporter()
		.importUrl(Flavour.class.getProtectionDomain().getCodeSource().getLocation());

	@Test
	void theNeutralCoreKnowsNothingButTheLanguageAndValueTypes() {
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(NEUTRAL)
			.or(resideInAnyPackage("java..", "javax.net.ssl", "org.jspecify.annotations", "org.apache.commons.logging",
					"org.springframework.aot.hint", "org.springframework.core", "org.springframework.http",
					"org.springframework.lang", "org.springframework.util", "org.springframework.web.util.pattern"))
			.or(belongToAnyOf(org.springframework.http.server.PathContainer.class))
			.or(type(org.springframework.web.server.ResponseStatusException.class))
			// Methods of ResponseStatusException are called through its superclass
			.or(type(org.springframework.web.ErrorResponseException.class))
			.or(primitivesAndArrays());
		DescribedPredicate<JavaClass> jackson = resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..");
		DescribedPredicate<JavaClass> micrometer = resideInAPackage("io.micrometer.core.instrument..");
		// It comes with Spring's web support
		DescribedPredicate<JavaClass> observation = resideInAnyPackage("io.micrometer.observation..",
				"io.micrometer.common..");
		classes().that().resideInAnyPackage(REWRITE).should().onlyDependOnClassesThat(allowed.or(jackson)).check(MAIN);
		classes().that()
			.resideInAnyPackage(METRICS)
			.should()
			.onlyDependOnClassesThat(allowed.or(micrometer)
				.or(observation)
				.or(resideInAnyPackage("javax.management", "com.sun.management")))
			.check(MAIN);
		classes().that()
			.resideInAnyPackage(NEUTRAL)
			.and()
			.resideOutsideOfPackages(concat(REWRITE, METRICS))
			.should()
			.onlyDependOnClassesThat(allowed.or(observation))
			.check(MAIN);
	}

	@Test
	void theNeutralCoreKnowsNeitherStack() {
		noClasses().that()
			.resideInAnyPackage(NEUTRAL)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(NETTY, "reactor..", "org.reactivestreams..", "jakarta..", "io.netty..",
					"org.springframework.core.io.buffer..", "org.springframework.web.reactive..",
					"org.springframework.web.servlet..", "org.springframework.cloud..", "org.springframework.boot..",
					"org.springframework.beans..", "org.springframework.context..")
			.check(MAIN);
	}

	@Test
	void theAdaptersDoNotKnowEachOther() {
		noClasses().that()
			.resideInAPackage(WEBFLUX)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(WEBMVC, TOMCAT, "jakarta.servlet..", "org.springframework.web.servlet..",
					"org.springframework.cloud.gateway.server.mvc..")
			.check(MAIN);
		noClasses().that()
			.resideInAnyPackage(WEBMVC, TOMCAT)
			.and()
			// One of the clients for upstreams
			.doNotHaveSimpleName("ReactorTuning")
			.and()
			.haveNameNotMatching(".*\\.webmvc\\.Http2Re(questFactory|sponse)(\\$.*)?")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(WEBFLUX, NETTY, "reactor..", "io.netty..", "org.springframework.core.io.buffer..",
					"org.springframework.web.reactive..", "org.springframework.cloud.gateway.filter..",
					"org.springframework.cloud.gateway.route..")
			.check(MAIN);
	}

	@Test
	void whatIsInternalDoesNotKnowWhatDrivesIt() {
		noClasses().that()
			.resideInAPackage(INTERNAL + "..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(WEBFLUX, WEBMVC, ACTUATE, ROOT + ".autoconfigure")
			.check(MAIN);
	}

	@Test
	void aPublicTypeShowsNoInternalOneButThese() {
		assertThat(MAIN.stream()
			.filter(ArchitectureTests::isForUsers)
			.flatMap((javaClass) -> javaClass.getMembers().stream())
			.filter((member) -> member.getModifiers().contains(JavaModifier.PUBLIC) && showsInternal(member))
			.map((member) -> member.getOwner().getSimpleName() + "." + member.getName()))
			.containsExactlyInAnyOrder("HealthChecks.start", "Routes.<init>", "Routes.routes", "Upstream.connect",
					"Upstream.limit", "Upstream.rateLimit", "UpstreamCall.connect");
		assertThat(MAIN.stream().filter(ArchitectureTests::isForUsers)).allSatisfy((javaClass) -> assertThat(
				Stream.concat(javaClass.getRawSuperclass().stream(), javaClass.getRawInterfaces().stream()))
			.noneMatch(ArchitectureTests::isInternal));
	}

	@Test
	void theConfigurationOfBothFlavoursKnowsNeither() {
		noClasses().that()
			.resideInAnyPackage(AUTO_CONFIGURATION)
			.or()
			.resideInAPackage(ACTUATE)
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(WEBFLUX, WEBMVC, TOMCAT, NETTY, "org.springframework.cloud.gateway..")
			.check(MAIN);
	}

	@Test
	void theNeutralCoreAndNettyDoNotKnowSpringBoot() {
		noClasses().that()
			.resideOutsideOfPackages(concat(AUTO_CONFIGURATION, new String[] { ACTUATE, TOMCAT, WEBFLUX, WEBMVC }))
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot..")
			.check(MAIN);
	}

	@Test
	void packagesHaveNoCycles() {
		slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
		noClasses().that()
			.resideInAPackage(ROOT)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".*..")
			.check(MAIN);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(packages()).isNotEmpty()
			.allSatisfy(
					(javaPackage) -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class)).as(javaPackage.getName())
						.isTrue());
	}

	@Test
	void thereAreFortyPublicTypesAtMostAndAnAdapterHasFour() {
		Map<String, Integer> publicTypes = new TreeMap<>();
		MAIN.stream()
			.filter(JavaClass::isTopLevelClass)
			.filter(ArchitectureTests::isForUsers)
			.forEach((javaClass) -> publicTypes.merge(javaClass.getPackageName(), 1, Integer::sum));
		assertThat(publicTypes).containsExactlyInAnyOrderEntriesOf(BUDGET);
		assertThat(BUDGET.values().stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(40);
		assertThat(BUDGET.get(WEBFLUX)).isLessThanOrEqualTo(4);
		assertThat(BUDGET.get(WEBMVC)).isLessThanOrEqualTo(4);
	}

	@Test
	void aClassIsFinalUnlessItHasTwoSubclasses() {
		assertThat(MAIN)
			.filteredOn((javaClass) -> !javaClass.isInterface() && !javaClass.isAnonymousClass() && !javaClass.isEnum()
					&& !javaClass.getSimpleName().equals("package-info")
					&& !javaClass.getModifiers().contains(JavaModifier.FINAL) && !isNestedConfiguration(javaClass))
			.allSatisfy((javaClass) -> assertThat(javaClass.getSubclasses()).as(javaClass.getName())
				.hasSizeGreaterThanOrEqualTo(2));
	}

	@Test
	void aClassIsNamedAfterWhatItIs() {
		noClasses().should()
			.haveSimpleNameEndingWith("Utils")
			.orShould()
			.haveSimpleNameEndingWith("Util")
			.orShould()
			.haveSimpleNameEndingWith("Helper")
			.orShould()
			.haveSimpleNameEndingWith("Impl")
			.orShould()
			.haveSimpleNameStartingWith("Abstract")
			.check(MAIN);
	}

	@Test
	void anAutoConfigurationIsPublicAndNothingInItIs() {
		classes().that()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePublic()
			.andShould()
			.haveModifier(JavaModifier.FINAL)
			.check(MAIN);
		methods().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.notBePublic()
			.check(MAIN);
		constructors().that()
			.areDeclaredInClassesThat()
			.areAnnotatedWith(AutoConfiguration.class)
			.should()
			.bePackagePrivate()
			.check(MAIN);
		methods().that().areAnnotatedWith(Bean.class).should().bePackagePrivate().check(MAIN);
	}

	@Test
	void theImportsFileListsEveryAutoConfigurationInOrder() throws IOException {
		List<String> autoConfigurations = MAIN.stream()
			.filter((javaClass) -> javaClass.isAnnotatedWith(AutoConfiguration.class))
			.map(JavaClass::getName)
			.sorted()
			.toList();
		assertThat(imports()).isNotEmpty().containsExactlyElementsOf(autoConfigurations);
	}

	private static DescribedPredicate<JavaClass> primitivesAndArrays() {
		return DescribedPredicate.describe("primitives and arrays of them",
				(javaClass) -> javaClass.getBaseComponentType().isPrimitive());
	}

	private static String[] withInternal(String name) {
		return new String[] { ROOT + "." + name, INTERNAL + "." + name };
	}

	private static String[] concat(String[]... packages) {
		return Arrays.stream(packages).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static boolean isInternal(JavaClass javaClass) {
		return javaClass.getBaseComponentType().getPackageName().startsWith(INTERNAL);
	}

	private static boolean isForUsers(JavaClass javaClass) {
		return !isInternal(javaClass) && javaClass.getModifiers().contains(JavaModifier.PUBLIC)
				&& javaClass.getEnclosingClass().map(ArchitectureTests::isForUsers).orElse(true);
	}

	private static boolean showsInternal(JavaMember member) {
		Stream<JavaType> types = (member instanceof JavaCodeUnit unit)
				? Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
				: Stream.of(((JavaField) member).getType());
		return types.flatMap((type) -> type.getAllInvolvedRawTypes().stream()).anyMatch(ArchitectureTests::isInternal);
	}

	private static boolean isNestedConfiguration(JavaClass javaClass) {
		return javaClass.getEnclosingClass()
			.filter((outer) -> outer.isAnnotatedWith(AutoConfiguration.class))
			.isPresent();
	}

	private static List<JavaPackage> packages() {
		return Stream.concat(Stream.of(MAIN.getPackage(ROOT)), MAIN.getPackage(ROOT).getSubpackagesInTree().stream())
			.toList();
	}

	private static List<String> imports() throws IOException {
		String file = "/META-INF/spring/%s.imports".formatted(AutoConfiguration.class.getName());
		try (InputStream in = ArchitectureTests.class.getResourceAsStream(file)) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		}
	}

}
