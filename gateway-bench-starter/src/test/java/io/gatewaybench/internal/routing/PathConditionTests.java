package io.gatewaybench.internal.routing;

import java.util.List;

import io.gatewaybench.internal.routing.PathCondition.Obstacle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class PathConditionTests {

	private static final PathCondition A = path("/a");

	private static final PathCondition B = path("/b");

	private static final PathCondition READS = PathCondition.sideEffectFree();

	private static final PathCondition UNKNOWN = PathCondition.opaque();

	@ParameterizedTest
	@CsvSource(textBlock = """
			/a,              a
			/a/,             a
			/a/b/c,          a b c
			/a/**,           a
			/a/{*rest},      a
			/a/{id}/b,       a * b
			/a/*/b,          a * b
			/a/{id},         a *
			/a/*,            a *
			/{id}/a,         * a
			/*/*/a,          * * a
			/a/{b}/{c:x}/d,  a *
			/a/{b}{c}/d,     a
			/a/b*/c,         a
			/a/?,            a
			/a/x{id}/b,      a
			/a//b,           a
			'/a/{id:[0-9]{2,3}}', a
			/a b/c;d,        a b|c;d
			""")
	void theFirstSegmentsAreLiteralsAndThoseThatMayBeAnyOne(String pattern, String segments) {
		assertThat(path(pattern).paths()).singleElement()
			.isEqualTo(List.of(segments.split(segments.contains("|") ? "\\|" : " ")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "", "/**", "/{*all}", "/{id}", "/*/{id}", "/{id}/a*", "/{id:x}/a", "/?", "/a*", "//a",
			"a/b", "/**/a" })
	void aPatternWithoutALiteralSegmentHasNoPath(String pattern) {
		assertThat(path(pattern).paths()).isEmpty();
		assertThat(path(pattern).obstacle()).isEqualTo(Obstacle.NO_LITERAL_SEGMENT);
	}

	@Test
	void aPatternOfAnotherParserHasNoPath() {
		PathPatternParser ignoringCase = new PathPatternParser();
		ignoringCase.setCaseSensitive(false);
		PathPatternParser dots = new PathPatternParser();
		dots.setPathOptions(PathContainer.Options.MESSAGE_ROUTE);
		assertThat(PathCondition.path(ignoringCase.parse("/a")).obstacle()).isEqualTo(Obstacle.OTHER_PARSER);
		assertThat(PathCondition.path(dots.parse("/a")).obstacle()).isEqualTo(Obstacle.OTHER_PARSER);
		assertThat(PathCondition.path(new PathPatternParser().parse("/a")).obstacle()).isNull();
	}

	@Test
	void ofTwoPredicatesTheFirstPathCountsUnlessATraceComesBeforeIt() {
		assertThat(A.and(B).paths()).containsExactly(List.of("a"));
		assertThat(A.and(UNKNOWN).paths()).containsExactly(List.of("a"));
		assertThat(READS.and(B).paths()).containsExactly(List.of("b"));
		assertThat(READS.and(READS).and(B).and(UNKNOWN).paths()).containsExactly(List.of("b"));
		assertThat(UNKNOWN.and(B).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(READS.and(UNKNOWN).and(B).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(READS.and(READS.or(A)).and(B).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(path("/{id}").and(B).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(A.negate().and(B).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
	}

	@Test
	void alternativesCountWhenEachHasAPath() {
		assertThat(A.or(B).paths()).containsExactly(List.of("a"), List.of("b"));
		assertThat(A.or(READS).obstacle()).isEqualTo(Obstacle.NO_PATH);
		assertThat(READS.or(A).obstacle()).isEqualTo(Obstacle.NO_PATH);
		assertThat(A.or(UNKNOWN).obstacle()).isEqualTo(Obstacle.UNKNOWN_PREDICATE);
		assertThat(A.or(path("/**")).obstacle()).isEqualTo(Obstacle.NO_LITERAL_SEGMENT);
		assertThat(READS.or(READS).and(A).paths()).containsExactly(List.of("a"));
		assertThat(READS.or(UNKNOWN).and(A).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(PathCondition.anyOf(List.of()).obstacle()).isNotNull();
	}

	@Test
	void aNegationHasNoPath() {
		assertThat(A.negate().obstacle()).isEqualTo(Obstacle.NEGATION);
		assertThat(A.negate().negate().obstacle()).isEqualTo(Obstacle.NEGATION);
		assertThat(UNKNOWN.negate().and(A).obstacle()).isEqualTo(Obstacle.PATH_AFTER_TRACE);
		assertThat(READS.negate().and(A).paths()).containsExactly(List.of("a"));
	}

	private static PathCondition path(String pattern) {
		return PathCondition.path(PathPatternParser.defaultInstance.parse(pattern));
	}

}
