package io.gatewaybench.internal.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import io.gatewaybench.internal.Spelling;

/**
 * The bytes that come into a body; shared by all messages. Between texts that are encoded
 * once are numbers, at least one, that differ from message to message.
 */
final class Insertion {

	private static final long[] NONE = {};

	private final byte[][] texts;

	private final LongSupplier[] numbers;

	private final int value;

	Insertion(RewriteSettings settings) {
		List<byte[]> constants = new ArrayList<>();
		List<LongSupplier> suppliers = new ArrayList<>();
		StringBuilder text = new StringBuilder(",\"" + settings.field() + "\":");
		this.value = text.length();
		char separator = '{';
		for (var member : settings.metadata().members().entrySet()) {
			text.append(separator).append(Spelling.json(member.getKey())).append(':');
			separator = ',';
			if (member.getValue() instanceof LongSupplier number) {
				constants.add(bytes(text));
				suppliers.add(number);
				text.setLength(0);
			}
			else {
				text.append((member.getValue() instanceof String string) ? Spelling.json(string) : member.getValue());
			}
		}
		constants.add(bytes(text.append('}')));
		this.texts = constants.toArray(byte[][]::new);
		this.numbers = suppliers.toArray(LongSupplier[]::new);
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
		long first = this.numbers[0].getAsLong();
		int length = this.texts[0].length - from + length(first) + this.texts[1].length;
		// As a rule there is the timestamp only, and no array is needed
		long[] others = (this.numbers.length > 1) ? new long[this.numbers.length - 1] : NONE;
		for (int i = 0; i < others.length; i++) {
			others[i] = this.numbers[i + 1].getAsLong();
			length += length(others[i]) + this.texts[i + 2].length;
		}
		byte[] rendered = new byte[length];
		int at = copy(this.texts[0], from, rendered, 0);
		at = write(first, rendered, at);
		at = copy(this.texts[1], 0, rendered, at);
		for (int i = 0; i < others.length; i++) {
			at = write(others[i], rendered, at);
			at = copy(this.texts[i + 2], 0, rendered, at);
		}
		return rendered;
	}

	private static int copy(byte[] text, int from, byte[] target, int at) {
		System.arraycopy(text, from, target, at, text.length - from);
		return at + text.length - from;
	}

	private static int length(long value) {
		int length = (value < 0) ? 2 : 1;
		for (long rest = value / 10; rest != 0; rest /= 10) {
			length++;
		}
		return length;
	}

	private static int write(long value, byte[] target, int from) {
		int end = from + length(value);
		long rest = value;
		for (int at = end - 1; at >= from; at--) {
			// The remainder has the sign of the value, so the lowest value needs no care
			target[at] = (byte) ('0' + Math.abs(rest % 10));
			rest /= 10;
		}
		if (value < 0) {
			target[from] = '-';
		}
		return end;
	}

	private static byte[] bytes(CharSequence text) {
		return text.toString().getBytes(StandardCharsets.UTF_8);
	}

}
