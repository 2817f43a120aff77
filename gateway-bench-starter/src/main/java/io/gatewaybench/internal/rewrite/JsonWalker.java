package io.gatewaybench.internal.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Walks through the bytes of a JSON object in any pieces and checks them against RFC
 * 8259. It remembers the positions that an edit needs and nothing else.
 * <p>
 * There is one method per state, which takes the next bytes and returns how far it got.
 * The bytes are in the {@link Window}, so a zero follows the last one. {@link #run} goes
 * through many states at once for as long as what it meets is simple and ends in sight;
 * the state is then where it is in the code, and the position stays in a register.
 */
final class JsonWalker {

	private static final int START = 0;

	private static final int KEY_OR_END = 1;

	private static final int KEY = 2;

	private static final int KEY_TEXT = 3;

	private static final int COLON = 4;

	private static final int VALUE_OR_END = 5;

	private static final int VALUE = 6;

	private static final int VALUE_TEXT = 7;

	private static final int NUMBER = 8;

	private static final int LITERAL = 9;

	private static final int AFTER_VALUE = 10;

	private static final int END = 11;

	private static final int BROKEN = 12;

	private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

	/** The whole of a literal but, if it has five letters, its first one. */
	private static final int TRUE_END = Window.word(TRUE, 0);

	private static final int FALSE_END = Window.word(FALSE, 1);

	private static final int NULL_END = Window.word(NULL, 0);

	private static final long NONE = -1;

	private final FieldKey key;

	private final JsonText text;

	private final FieldValues values = new FieldValues();

	private final Nesting nesting = new Nesting();

	private int state = START;

	private int depth;

	private boolean inObject;

	private boolean atField;

	private boolean empty;

	private int number;

	private byte[] literal = NULL;

	private int matched;

	/** The position in the body of what has the index 0 in the array. */
	private long origin;

	private long walked;

	private long end = NONE;

	/**
	 * Make a walker.
	 * @param field the key of the top-level members to find, all ASCII
	 */
	JsonWalker(byte[] field) {
		this.key = new FieldKey(field);
		this.text = new JsonText(this.key);
	}

	/**
	 * Tells whether the bytes can't become a valid object any more, whatever follows.
	 */
	boolean isBroken() {
		return this.state == BROKEN;
	}

	/**
	 * Tells whether the object is complete, so that only white space may follow.
	 */
	boolean isComplete() {
		return this.end != NONE;
	}

	/**
	 * Returns the position of the brace that completes the object.
	 */
	long end() {
		return this.end;
	}

	/**
	 * Tells whether the complete object has no members.
	 */
	boolean isEmpty() {
		return this.empty;
	}

	/**
	 * Returns where the values of the field are.
	 */
	FieldValues values() {
		return this.values;
	}

	/**
	 * Walks on.
	 * @param chunk where
	 * @param position where the next bytes begin
	 * @param length how many they are
	 */
	void walk(ByteBuffer chunk, int position, int length) {
		Window window = Window.take();
		for (int done = 0; done < length; done += Window.SIZE) {
			int part = Math.min(length - done, Window.SIZE);
			window.load(chunk, position + done, part);
			walk(window, part);
		}
		window.giveBack();
	}

	private void walk(Window window, int to) {
		this.origin = this.walked;
		int at = 0;
		while (at < to && this.state != BROKEN) {
			at = switch (this.state) {
				case START -> start(window, at, to);
				case KEY_OR_END, KEY -> key(window, at, to);
				case KEY_TEXT -> keyText(window, at, to);
				case COLON -> colon(window, at, to);
				case VALUE_OR_END, VALUE -> value(window, at, to);
				case VALUE_TEXT -> valueText(window, at, to);
				case NUMBER -> number(window, at);
				case LITERAL -> literal(window, at);
				case AFTER_VALUE -> afterValue(window, at, to);
				default -> space(window, at, to);
			};
		}
		this.walked = this.origin + to;
	}

	private int start(Window window, int at, int to) {
		return (window.bytes[at] == '{') ? enter(true, at) : space(window, at, to);
	}

	private int key(Window window, int at, int to) {
		if (window.bytes[at] == '"') {
			return run(window, at, to, true);
		}
		if (window.bytes[at] == '}' && this.state == KEY_OR_END) {
			this.empty = (this.depth == 1);
			return leave(at);
		}
		return space(window, at, to);
	}

	/**
	 * Takes as many members and elements as possible, also in nested containers.
	 * @param from the quote of a key, or the first byte of a value
	 * @param atKey which of both
	 */
	private int run(Window window, int from, int to, boolean atKey) {
		byte[] bytes = window.bytes;
		boolean member = atKey;
		int at = from;
		while (true) {
			if (member) {
				int start = at + 1;
				at = window.textEnd(start);
				if (bytes[at] != '"') {
					return beginKeyText(start);
				}
				if (this.depth == 1 && this.key.equalTo(bytes, start, at)) {
					this.atField = true;
					return go(COLON, at + 1);
				}
				at++;
				if (bytes[at] != ':') {
					return go(COLON, at);
				}
				at++;
			}
			byte first = bytes[at];
			int end;
			if (first == '{' || first == '[') {
				end = enter(first == '{', at);
				if (this.state == BROKEN) {
					return end;
				}
				member = this.inObject;
				if (bytes[end] != closing(member)) {
					if (member ? bytes[end] != '"' : end == to || isSpace(bytes[end])) {
						return end;
					}
					at = end;
					continue;
				}
			}
			else {
				end = simpleValueEnd(window, at, to);
				if (end == at) {
					return (at < to) ? complexValue(window, at) : go(VALUE, at);
				}
			}
			while (bytes[end] == closing(this.inObject) && this.depth > 1) {
				this.depth--;
				this.inObject = this.nesting.isObject(this.depth - 1);
				end++;
			}
			if (bytes[end] != ',' || (this.depth == 1 && this.values.isOpen())) {
				return go(AFTER_VALUE, end);
			}
			at = end + 1;
			member = this.inObject;
			if (member && bytes[at] != '"') {
				return go(KEY, at);
			}
		}
	}

	private static char closing(boolean object) {
		return object ? '}' : ']';
	}

	private int beginKeyText(int start) {
		if (this.depth == 1) {
			this.key.begin();
		}
		else {
			this.key.ignore();
		}
		return go(KEY_TEXT, start);
	}

	private int keyText(Window window, int at, int to) {
		int end = this.text.walk(window, at, to);
		if (end < 0) {
			return stop(end, to);
		}
		this.atField = this.key.matches();
		return go(COLON, end);
	}

	private int colon(Window window, int at, int to) {
		return (window.bytes[at] == ':') ? go(VALUE, at + 1) : space(window, at, to);
	}

	private int value(Window window, int at, int to) {
		byte first = window.bytes[at];
		if (isSpace(first)) {
			return space(window, at, to);
		}
		if (first == ']' && this.state == VALUE_OR_END) {
			return leave(at);
		}
		if (this.atField) {
			this.atField = false;
			this.values.begin(this.origin + at);
		}
		return run(window, at, to, false);
	}

	/**
	 * Finds the end of a value.
	 * @return the position after it, or {@code at} if it needs a closer look
	 */
	private int simpleValueEnd(Window window, int at, int to) {
		return switch (window.bytes[at]) {
			case '"' -> {
				int end = window.textEnd(at + 1);
				yield (window.bytes[end] == '"') ? end + 1 : at;
			}
			case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> JsonNumber.end(window, at, to);
			case 't' -> (window.word(at) == TRUE_END) ? at + 4 : at;
			case 'f' -> (window.word(at + 1) == FALSE_END) ? at + 5 : at;
			case 'n' -> (window.word(at) == NULL_END) ? at + 4 : at;
			default -> at;
		};
	}

	private int complexValue(Window window, int at) {
		return switch (window.bytes[at]) {
			case '"' -> {
				this.key.ignore();
				yield go(VALUE_TEXT, at + 1);
			}
			case 't' -> beginLiteral(TRUE, at);
			case 'f' -> beginLiteral(FALSE, at);
			case 'n' -> beginLiteral(NULL, at);
			case ' ', '\t', '\n', '\r' -> go(VALUE, at);
			default -> {
				this.number = JsonNumber.START;
				yield go(NUMBER, at);
			}
		};
	}

	private int valueText(Window window, int at, int to) {
		int end = this.text.walk(window, at, to);
		return (end < 0) ? stop(end, to) : go(AFTER_VALUE, end);
	}

	private int number(Window window, int at) {
		this.number = JsonNumber.next(this.number, window.bytes[at]);
		return switch (this.number) {
			case JsonNumber.ENDED -> go(AFTER_VALUE, at);
			case JsonNumber.BROKEN -> go(BROKEN, at);
			default -> at + 1;
		};
	}

	private int beginLiteral(byte[] literal, int at) {
		this.literal = literal;
		this.matched = 0;
		return go(LITERAL, at);
	}

	private int literal(Window window, int at) {
		if (window.bytes[at] != this.literal[this.matched++]) {
			return go(BROKEN, at);
		}
		return (this.matched == this.literal.length) ? go(AFTER_VALUE, at + 1) : at + 1;
	}

	private int afterValue(Window window, int at, int to) {
		byte next = window.bytes[at];
		boolean last = next == closing(this.inObject);
		if (next != ',' && !last && !isSpace(next)) {
			return go(BROKEN, at);
		}
		if (this.depth == 1 && this.values.isOpen()) {
			this.values.end(this.origin + at);
		}
		if (next == ',') {
			return go(this.inObject ? KEY : VALUE, at + 1);
		}
		return last ? leave(at) : space(window, at, to);
	}

	private int enter(boolean object, int at) {
		if (this.depth == Nesting.MAX_DEPTH) {
			return go(BROKEN, at);
		}
		this.nesting.enter(this.depth++, object);
		this.inObject = object;
		return go(object ? KEY_OR_END : VALUE_OR_END, at + 1);
	}

	private int leave(int at) {
		this.depth--;
		if (this.depth == 0) {
			this.end = this.origin + at;
			return go(END, at + 1);
		}
		this.inObject = this.nesting.isObject(this.depth - 1);
		return go(AFTER_VALUE, at + 1);
	}

	/**
	 * Takes white space, which is all that is allowed here.
	 */
	private int space(Window window, int from, int to) {
		if (!isSpace(window.bytes[from])) {
			return go(BROKEN, from);
		}
		int at = from + 1;
		while (at < to && isSpace(window.bytes[at])) {
			at = (window.bytes[at] == ' ') ? window.spacesEnd(at) : at + 1;
		}
		return at;
	}

	private int stop(int textEnd, int to) {
		return (textEnd == JsonText.BROKEN) ? go(BROKEN, to) : to;
	}

	private int go(int state, int at) {
		this.state = state;
		return at;
	}

	private static boolean isSpace(byte next) {
		return next == ' ' || next == '\n' || next == '\r' || next == '\t';
	}

}
