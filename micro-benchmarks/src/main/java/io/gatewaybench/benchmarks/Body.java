package io.gatewaybench.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;

/**
 * The bodies to rewrite; the same bytes in every run.
 */
public enum Body {

	/** What the simulator answers to {@code /api/heavy}: mostly strings, 50 KB. */
	HEAVY(128, Body::heavyItem),

	/** Measured values, 50 KB. */
	NUMBERS(440, Body::numbers),

	/** Brackets, short keys and short values, 50 KB. */
	STRUCTURE(645, Body::structure),

	/** Text with escapes and with characters that are not ASCII, 50 KB. */
	TEXT(285, Body::text),

	/** One item, 0.3 KB. */
	SMALL(1, Body::structure) {
		@Override
		byte[] bytes() {
			return ("{\"id\":\"3f0c1d52-6a0e-4a53-9b1e-0a5e7a2f9d11\",\"name\":\"item-1\",\"description\":\"Describes "
					+ "order invoice customer shipment payment catalogue warehouse contract\",\"tags\":[\"ledger\",\"refund\"],"
					+ "\"metadata\":{\"createdAt\":\"2026-11-21T03:30:00.123Z\",\"version\":42,\"score\":0.7308781907032909,"
					+ "\"active\":true}}")
				.getBytes(StandardCharsets.UTF_8);
		}
	},

	/** The strings of {@link #HEAVY} with line breaks and indentation, 65 KB. */
	INDENTED(128,
			(random) -> Body.heavyItem(random)
				.replace("{", "{\n      ")
				.replace(",\"", ",\n      \"")
				.replace("\":", "\" : ")
				.replace("}", "\n    }"));

	private static final String[] WORDS = { "order", "invoice", "customer", "shipment", "payment", "catalogue",
			"warehouse", "contract", "ledger", "refund", "account", "delivery", "voucher", "supplier", "schedule",
			"inventory" };

	private static final String[] PHRASES = { "Größe", "Straße", "配送状況", "注文", "заказ", "\\\"quoted\\\"", "line\\n",
			"plain", "text", "naïve", "path\\/to", "😀", "\\u00e9t\\u00e9", "more plain text" };

	private final int items;

	private final Function<Random, String> item;

	Body(int items, Function<Random, String> item) {
		this.items = items;
		this.item = item;
	}

	byte[] bytes() {
		Random random = new Random(42);
		StringBuilder body = new StringBuilder("{\"count\":").append(this.items).append(",\"items\":[");
		for (int i = 0; i < this.items; i++) {
			body.append((i > 0) ? "," : "").append(this.item.apply(random));
		}
		return body.append("]}").toString().getBytes(StandardCharsets.UTF_8);
	}

	private static String heavyItem(Random random) {
		return """
				{"id":"%s","name":"item-%d","description":"Describes%s.","tags":["%s","%s","%s"],\
				"metadata":{"createdAt":"2026-11-21T03:30:00.123Z","version":%d,"owner":"%s","score":%s,"active":%s}}"""
			.formatted(new UUID(random.nextLong(), random.nextLong()), random.nextInt(128), sentence(random),
					pick(WORDS, random), pick(WORDS, random), pick(WORDS, random), random.nextInt(100),
					pick(WORDS, random), random.nextDouble(), random.nextBoolean());
	}

	private static String sentence(Random random) {
		StringBuilder sentence = new StringBuilder();
		for (int i = 0; i < 16; i++) {
			sentence.append(' ').append(pick(WORDS, random));
		}
		return sentence.toString();
	}

	private static String numbers(Random random) {
		return "{\"t\":%d,\"x\":%s,\"y\":%s,\"n\":[%d,%d,%d,%d],\"e\":%s}".formatted(1702234542456L + random.nextInt(),
				random.nextDouble(), -random.nextGaussian() * 1000, random.nextInt(10), random.nextInt(1000),
				random.nextInt(), -random.nextInt(100000), (float) (random.nextDouble() * 1e-9));
	}

	private static String structure(Random random) {
		return "{\"a\":[%d,[],{}],\"b\":{\"c\":[[%s],[%s,\"%s\"]],\"d\":{\"e\":{}}},\"f\":[{},{\"g\":\"\"}]}".formatted(
				random.nextInt(10), random.nextBoolean(), random.nextBoolean() ? "null" : "1",
				pick(WORDS, random).substring(0, 1 + random.nextInt(4)));
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder("{\"text\":\"");
		for (int i = 0; i < 18; i++) {
			text.append(' ').append(pick(PHRASES, random));
		}
		return text.append("\"}").toString();
	}

	private static String pick(String[] choices, Random random) {
		return choices[random.nextInt(choices.length)];
	}

}
