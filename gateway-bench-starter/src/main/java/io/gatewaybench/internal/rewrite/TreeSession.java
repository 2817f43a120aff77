package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Collects a whole body, as far as the limit allows, and gives it to a tree.
 */
final class TreeSession implements RewriteSession {

	private static final byte[] NOTHING = {};

	private static final int ESCAPE_LENGTH = "\\u0000".length();

	private static final int MAX_ASCII = 0x7f;

	private final JsonTree tree;

	private final int limit;

	private byte[] body = NOTHING;

	private int length;

	private boolean opened;

	private @Nullable RewriteOutcome outcome;

	TreeSession(JsonTree tree, long maxBufferSize) {
		this.tree = tree;
		// Some virtual machines cannot make longer arrays
		this.limit = (int) Math.min(maxBufferSize, Integer.MAX_VALUE - 8);
	}

	@Override
	public void feed(ByteBuffer chunk, Edits edits) {
		int added = chunk.remaining();
		int room = this.limit - this.length;
		if (!this.opened && !canOpen(chunk, Math.min(added, room))) {
			passThrough(RewriteOutcome.UNCHANGED, added, edits);
		}
		else if (added > room) {
			passThrough(RewriteOutcome.TOO_LARGE, added, edits);
		}
		else {
			append(chunk);
		}
	}

	@Override
	public void stream(Edits edits) {
		passThrough(RewriteOutcome.TOO_LARGE, 0, edits);
	}

	@Override
	public void finish(Edits edits) {
		JsonTree.Rewritten rewritten = this.opened ? rewrite() : null;
		if (rewritten == null) {
			passThrough(RewriteOutcome.UNCHANGED, 0, edits);
			return;
		}
		edits.drop(this.length);
		edits.insert(rewritten.body());
		decide(rewritten.outcome());
	}

	@Override
	public @Nullable RewriteOutcome outcome() {
		return this.outcome;
	}

	/**
	 * Looks for the brace, so that arrays, text and empty bodies needn't be held.
	 */
	private boolean canOpen(ByteBuffer chunk, int bytes) {
		for (int i = 0; i < bytes; i++) {
			byte b = chunk.get(chunk.position() + i);
			if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
				this.opened = (b == '{');
				return this.opened;
			}
		}
		return true;
	}

	private void append(ByteBuffer chunk) {
		int total = this.length + chunk.remaining();
		if (total > this.body.length) {
			long doubled = Math.min(2L * this.body.length, this.limit);
			this.body = Arrays.copyOf(this.body, (int) Math.max(total, doubled));
		}
		chunk.get(this.body, this.length, chunk.remaining());
		this.length = total;
	}

	private JsonTree.@Nullable Rewritten rewrite() {
		try {
			// A new decoder reports what is malformed instead of replacing it
			ByteBuffer bytes = ByteBuffer.wrap(this.body, 0, this.length);
			String json = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
			return hasPlainEscapes(json) ? this.tree.rewrite(json) : null;
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	/**
	 * Jackson takes a character for the hexadecimal digit that its low byte would be.
	 */
	private static boolean hasPlainEscapes(String json) {
		for (int i = json.indexOf('\\'); i >= 0; i = json.indexOf('\\', i + 2)) {
			int end = Math.min(i + ESCAPE_LENGTH, json.length());
			if (json.startsWith("u", i + 1) && json.substring(i, end).chars().anyMatch((c) -> c > MAX_ASCII)) {
				return false;
			}
		}
		return true;
	}

	private void passThrough(RewriteOutcome outcome, int added, Edits edits) {
		edits.keep((long) this.length + added);
		decide(outcome);
	}

	private void decide(RewriteOutcome outcome) {
		this.outcome = outcome;
		this.body = NOTHING;
	}

}
