package io.gatewaybench.internal.rewrite;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import io.gatewaybench.rewrite.Engine;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random bodies, valid and damaged, against the engine that builds a tree. Every failure
 * shows the seed of its body.
 */
class SpliceRandomTests {

	private static final int BODIES = 1_500;

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	private final long seed = System.nanoTime();

	@Test
	void validBodiesBecomeWhatTheTreeMakesOfThem() {
		BodyRewriter tree = Rewritten.rewriter(Engine.JACKSON3, 1_000_000);
		for (long i = this.seed; i < this.seed + BODIES; i++) {
			byte[] body = new RandomJson(i).object();
			Rewritten spliced = check(body, 1 + (i & 0x3f), i);
			assertThat(spliced.outcome()).as("seed %s", i).isNotEqualTo(RewriteOutcome.UNCHANGED);
			// The order of the members counts here too
			assertThat(MAPPER.writeValueAsBytes(MAPPER.readTree(spliced.text()))).asString()
				.as("seed %s", i)
				.isEqualTo(Rewritten.of(tree, List.of(body)).text());
		}
	}

	@Test
	void damagedBodiesAreRefusedWhenTheTreeRefusesThem() {
		int refused = 0;
		for (long i = this.seed; i < this.seed + BODIES; i++) {
			SplittableRandom random = new SplittableRandom(i);
			byte[] body = damaged(new RandomJson(i).object(), random);
			refused += (check(body, 1 + random.nextInt(60), i).outcome() == RewriteOutcome.UNCHANGED) ? 1 : 0;
		}
		assertThat(refused).as("seed %s", this.seed).isBetween(BODIES / 10, BODIES * 99 / 100);
	}

	private static Rewritten check(byte[] body, long limit, long seed) {
		try {
			return SpliceChecks.check(body, limit, seed);
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError("seed " + seed, ex);
		}
	}

	private static byte[] damaged(byte[] body, SplittableRandom random) {
		byte[] damaged = body;
		for (int i = random.nextInt(1, 3); i > 0; i--) {
			int at = random.nextInt(damaged.length + 1);
			byte[] before = Arrays.copyOf(damaged, at);
			byte[] after = Arrays.copyOfRange(damaged, at, damaged.length);
			byte[] rest = Arrays.copyOfRange(after, Math.min(1, after.length), after.length);
			byte[] other = { interesting(random) };
			damaged = switch (random.nextInt(4)) {
				case 0 -> Bytes.join(List.of(before, other, rest));
				case 1 -> Bytes.join(List.of(before, other, after));
				case 2 -> Bytes.join(List.of(before, rest));
				default -> random.nextInt(4) == 0 ? before : damaged;
			};
		}
		return damaged;
	}

	private static byte interesting(SplittableRandom random) {
		String likely = "{}[]:,\"\\ \n0123456789-+.eEtfnu/\u0000\u001f\u007f";
		return (byte) ((random.nextInt(4) == 0) ? random.nextInt(256) : likely.charAt(random.nextInt(likely.length())));
	}

}
