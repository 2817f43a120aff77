package io.gatewaybench.webmvc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

import io.gatewaybench.internal.routing.PathCondition;

import org.springframework.cloud.gateway.server.mvc.common.ArgumentSupplier;
import org.springframework.cloud.gateway.server.mvc.common.WeightConfig;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Learns from a predicate which paths it can match. A predicate that does not describe
 * itself to visitors can match every path, and may change the request.
 */
final class PathConditions implements RequestPredicates.Visitor {

	private final PathPatternParser parser;

	/** The operands of each predicate that the visit is inside of, innermost first. */
	private final Deque<List<PathCondition>> operands = new ArrayDeque<>();

	private PathConditions(PathPatternParser parser) {
		this.parser = parser;
		this.operands.push(new ArrayList<>());
	}

	/**
	 * Find the condition of a predicate.
	 * @param predicate the predicate
	 * @param parser parser of the mapping, which parses all patterns with it
	 * @return the condition
	 */
	static PathCondition of(RequestPredicate predicate, PathPatternParser parser) {
		PathConditions visitor = new PathConditions(parser);
		predicate.accept(visitor);
		List<PathCondition> result = visitor.operands.pop();
		return (result.size() == 1) ? result.get(0) : PathCondition.opaque();
	}

	private void add(PathCondition condition) {
		this.operands.element().add(condition);
	}

	private void start() {
		this.operands.push(new ArrayList<>(2));
	}

	@Override
	public void path(String pattern) {
		try {
			add(PathCondition.path(this.parser.parse(pattern)));
		}
		catch (PatternParseException ex) {
			// A predicate of the application may call something else a path
			add(PathCondition.opaque());
		}
	}

	@Override
	public void method(Set<HttpMethod> methods) {
		add(PathCondition.sideEffectFree());
	}

	/**
	 * A host that matches adds its variables to the request, even if a path after it does
	 * not match.
	 */
	@Override
	public void header(String name, String value) {
		boolean variables = HttpHeaders.HOST.equalsIgnoreCase(name) && value.indexOf('{') != -1;
		add(variables ? PathCondition.opaque() : PathCondition.sideEffectFree());
	}

	/**
	 * To look for a parameter may read the body of a form.
	 */
	@Override
	public void param(String name, String value) {
		add(PathCondition.opaque());
	}

	@Override
	public void version(String version) {
		add(PathCondition.opaque());
	}

	@Override
	@SuppressWarnings("removal")
	public void pathExtension(String extension) {
		add(PathCondition.opaque());
	}

	@Override
	public void unknown(RequestPredicate predicate) {
		boolean weight = predicate instanceof ArgumentSupplier<?> supplier
				&& supplier.getArgumentSuppliedEvent().getType() == WeightConfig.class;
		add(weight ? PathCondition.sideEffectFree() : PathCondition.opaque());
	}

	@Override
	public void startAnd() {
		start();
	}

	@Override
	public void and() {
		// The operands come in their order
	}

	@Override
	public void endAnd() {
		List<PathCondition> both = this.operands.pop();
		add((both.size() == 2) ? both.get(0).and(both.get(1)) : PathCondition.opaque());
	}

	@Override
	public void startOr() {
		start();
	}

	@Override
	public void or() {
		// The operands come in their order
	}

	@Override
	public void endOr() {
		List<PathCondition> both = this.operands.pop();
		add((both.size() == 2) ? both.get(0).or(both.get(1)) : PathCondition.opaque());
	}

	@Override
	public void startNegate() {
		start();
	}

	@Override
	public void endNegate() {
		List<PathCondition> negated = this.operands.pop();
		add((negated.size() == 1) ? negated.get(0).negate() : PathCondition.opaque());
	}

}
