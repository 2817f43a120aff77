package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * An engine that does what a test tells it to.
 */
final class ScriptedSession implements RewriteSession {

	private final Consumer<Edits> onFeed;

	private final Consumer<Edits> onFinish;

	private @Nullable RewriteOutcome outcome;

	ScriptedSession(Consumer<Edits> onFeed, Consumer<Edits> onFinish) {
		this.onFeed = onFeed;
		this.onFinish = onFinish;
	}

	ScriptedSession outcome(RewriteOutcome outcome) {
		this.outcome = outcome;
		return this;
	}

	@Override
	public void feed(ByteBuffer chunk, Edits edits) {
		this.onFeed.accept(edits);
	}

	@Override
	public void stream(Edits edits) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void finish(Edits edits) {
		this.onFinish.accept(edits);
		this.outcome = RewriteOutcome.ADDED;
	}

	@Override
	public @Nullable RewriteOutcome outcome() {
		return this.outcome;
	}

}
