package io.gatewaybench.sim;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

import tools.jackson.databind.JsonNode;

/**
 * The objects behind the response bodies, those under {@code /api} as the services of P1
 * build them.
 */
final class SampleData {

	private static final int DATA_ITEMS = 32;

	private static final int HEAVY_ITEMS = 128;

	private static final int SENTENCE_WORDS = 16;

	private static final String[] WORDS = { "order", "invoice", "customer", "shipment", "payment", "catalogue",
			"warehouse", "contract", "ledger", "refund", "account", "delivery", "voucher", "supplier", "schedule",
			"inventory" };

	private SampleData() {
	}

	/**
	 * A greeting.
	 *
	 * @param message the greeting
	 * @param timestamp when it was made
	 */
	record Hello(String message, Instant timestamp) {
	}

	/**
	 * A list of items.
	 *
	 * @param <T> type of the items
	 * @param count number of items
	 * @param items the items
	 */
	record Page<T>(int count, List<T> items) {
	}

	/**
	 * An item of {@code /api/data}, about 160 bytes as JSON.
	 *
	 * @param index position in the list
	 * @param id random UUID
	 * @param label text for people
	 * @param timestamp when it was made
	 * @param value random number from 0 to 1
	 */
	record DataItem(int index, UUID id, String label, Instant timestamp, double value) {
	}

	/**
	 * An item of {@code /api/heavy}, about 400 bytes as JSON.
	 *
	 * @param id random UUID
	 * @param name text for people
	 * @param description a sentence of random words
	 * @param tags three random words
	 * @param metadata nested object
	 */
	record HeavyItem(UUID id, String name, String description, List<String> tags, Metadata metadata) {
	}

	/**
	 * What is known about an item.
	 *
	 * @param createdAt when it was made
	 * @param version random number from 0 to 99
	 * @param owner random word
	 * @param score random number from 0 to 1
	 * @param active random flag
	 */
	record Metadata(Instant createdAt, int version, String owner, double score, boolean active) {
	}

	/**
	 * What became of a request.
	 *
	 * @param status the outcome
	 * @param processedAt when it was processed
	 * @param request the request as parsed
	 */
	record Processed(String status, Instant processedAt, JsonNode request) {
	}

	/**
	 * A user, about 100 bytes as JSON.
	 *
	 * @param id random UUID
	 * @param name text for people
	 * @param email address
	 */
	record User(UUID id, String name, String email) {
	}

	/**
	 * What registering somebody gives.
	 *
	 * @param id 16 random hexadecimal digits
	 */
	record Registration(String id) {
	}

	static Hello hello(Instant now) {
		return new Hello("Hello from the backend", now.truncatedTo(ChronoUnit.MILLIS));
	}

	static Page<DataItem> data(RandomGenerator random, Instant now) {
		Instant timestamp = now.truncatedTo(ChronoUnit.MILLIS);
		List<DataItem> items = new ArrayList<>(DATA_ITEMS);
		for (int i = 0; i < DATA_ITEMS; i++) {
			items.add(new DataItem(i, uuid(random), "Item of the data set " + i, timestamp, random.nextDouble()));
		}
		return new Page<>(items.size(), items);
	}

	static Page<HeavyItem> heavy(RandomGenerator random, Instant now) {
		Instant timestamp = now.truncatedTo(ChronoUnit.MILLIS);
		List<HeavyItem> items = new ArrayList<>(HEAVY_ITEMS);
		for (int i = 0; i < HEAVY_ITEMS; i++) {
			List<String> tags = List.of(word(random), word(random), word(random));
			Metadata metadata = new Metadata(timestamp, random.nextInt(100), word(random), random.nextDouble(),
					random.nextBoolean());
			items.add(new HeavyItem(uuid(random), "item-" + i, sentence(random), tags, metadata));
		}
		return new Page<>(items.size(), items);
	}

	static Processed processed(JsonNode request, Instant now) {
		return new Processed("processed", now.truncatedTo(ChronoUnit.MILLIS), request);
	}

	static User user(RandomGenerator random) {
		return new User(uuid(random), "Ada Lovelace", "ada.lovelace@example.org");
	}

	static Registration registration(RandomGenerator random) {
		return new Registration(HexFormat.of().toHexDigits(random.nextLong()));
	}

	private static UUID uuid(RandomGenerator random) {
		// Version 4, variant 2 (RFC 9562), without the cost of a secure generator
		return new UUID((random.nextLong() & 0xffffffffffff0fffL) | 0x4000L,
				(random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L);
	}

	private static String sentence(RandomGenerator random) {
		StringBuilder sentence = new StringBuilder(160).append("Describes");
		for (int i = 0; i < SENTENCE_WORDS; i++) {
			sentence.append(' ').append(word(random));
		}
		return sentence.append('.').toString();
	}

	private static String word(RandomGenerator random) {
		return WORDS[random.nextInt(WORDS.length)];
	}

}
