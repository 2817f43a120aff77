package io.gatewaybench.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * The bytes that come into a body; shared by all messages.
 */
final class Insertion {

	private final byte[] beforeTimestamp;

	private final byte[] afterTimestamp = bytes(",\"processed\":true}");

	private final int value;

	private final LongSupplier clock;

	Insertion(RewriteSettings settings) {
		String key = ",\"" + settings.field() + "\":";
		this.beforeTimestamp = bytes(key + "{\"type\":" + RewriteSettings.quoted(settings.type()) + ",\"timestamp\":");
		this.value = key.length();
		this.clock = settings.clock();
	}

	/**
	 * Makes the first member of an object.
	 */
	byte[] firstMember() {
		return render(1);
	}

	/**
	 * Makes a further member of an object, with the comma before it.
	 */
	byte[] furtherMember() {
		return render(0);
	}

	/**
	 * Makes the value of a member that is there already.
	 */
	byte[] value() {
		return render(this.value);
	}

	private byte[] render(int from) {
		long timestamp = this.clock.getAsLong();
		int prefix = this.beforeTimestamp.length - from;
		int digits = length(timestamp);
		byte[] rendered = new byte[prefix + digits + this.afterTimestamp.length];
		System.arraycopy(this.beforeTimestamp, from, rendered, 0, prefix);
		write(timestamp, rendered, prefix, digits);
		System.arraycopy(this.afterTimestamp, 0, rendered, prefix + digits, this.afterTimestamp.length);
		return rendered;
	}

	private static int length(long value) {
		int length = (value < 0) ? 2 : 1;
		for (long rest = value / 10; rest != 0; rest /= 10) {
			length++;
		}
		return length;
	}

	private static void write(long value, byte[] target, int from, int length) {
		long rest = value;
		for (int at = from + length - 1; at >= from; at--) {
			// The remainder has the sign of the value, so the lowest value needs no care
			target[at] = (byte) ('0' + Math.abs(rest % 10));
			rest /= 10;
		}
		if (value < 0) {
			target[from] = '-';
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
