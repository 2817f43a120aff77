package io.gatewaybench.internal.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Adds the {@code _gateway} field to bodies; immutable and shared by all messages.
 * <p>
 * A body that is a valid JSON object in UTF-8 gets the field, every other body leaves
 * byte for byte. {@link RewriteRules} tells by the headers which bodies to try.
 */
public final class BodyRewriter {

	private final Supplier<RewriteSession> sessions;

	private final long maxBufferSize;

	private final HeldMemory memory;

	private BodyRewriter(Supplier<RewriteSession> sessions, long maxBufferSize, HeldMemory memory) {
		this.sessions = sessions;
		this.maxBufferSize = maxBufferSize;
		this.memory = memory;
	}

	/**
	 * Makes a rewriter.
	 * @param settings what to add, and how
	 * @return the rewriter
	 * @throws IllegalStateException if the engine needs a library that is not on the
	 * class path; the message names the dependency to add
	 */
	public static BodyRewriter of(RewriteSettings settings) {
		return new BodyRewriter(switch (settings.engine()) {
			case SPLICE -> splice(settings);
			case JACKSON3 -> tree(settings, () -> new Jackson3Tree(settings), "tools.jackson.core:jackson-databind");
			case JACKSON2 ->
				tree(settings, () -> new Jackson2Tree(settings), "com.fasterxml.jackson.core:jackson-databind");
		}, settings.maxBufferSize(), HeldMemory.of(Long.MAX_VALUE));
	}

	/**
	 * Limits what all bodies hold together.
	 * @param memory what there is for them
	 * @return a rewriter that does the same within it
	 */
	public BodyRewriter within(HeldMemory memory) {
		return new BodyRewriter(this.sessions, this.maxBufferSize, memory);
	}

	/**
	 * Makes a rewriter that leaves every body as it came and needs no library.
	 * @return the rewriter
	 */
	public static BodyRewriter disabled() {
		return new BodyRewriter(() -> new TreeSession((json) -> null, 0), 0, HeldMemory.of(0));
	}

	/**
	 * Begins a body.
	 * @param <C> the type of its chunks
	 * @param type what to know about the chunks
	 * @param length how many bytes are to come, not positive if that is unknown
	 * @return the body, still empty; to be ended or released
	 */
	public <C> HeldBody<C> begin(ChunkType<C> type, long length) {
		boolean whole = length > 0 && length <= this.maxBufferSize;
		return new HeldBody<>(this.sessions.get(), type, this.memory, whole ? length : 0);
	}

	private static Supplier<RewriteSession> splice(RewriteSettings settings) {
		byte[] field = settings.field().getBytes(StandardCharsets.US_ASCII);
		Insertion insertion = new Insertion(settings);
		return () -> new SpliceSession(field, insertion, settings.maxBufferSize());
	}

	private static Supplier<RewriteSession> tree(RewriteSettings settings, Supplier<JsonTree> constructor,
			String dependency) {
		try {
			JsonTree tree = constructor.get();
			return () -> new TreeSession(tree, settings.maxBufferSize());
		}
		catch (NoClassDefFoundError ex) {
			throw new IllegalStateException("engine " + settings.engine().name().toLowerCase(Locale.ROOT)
					+ " needs a library that is not on the class path: add the dependency " + dependency
					+ " or choose another engine", ex);
		}
	}

}
