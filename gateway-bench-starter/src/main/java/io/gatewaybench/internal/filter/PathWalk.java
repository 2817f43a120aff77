package io.gatewaybench.internal.filter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * Walks along a path as an upstream may that decodes it: once or more often, with or
 * without parameters, with a backslash as a slash. Where upstreams differ, each segment
 * leads as far up as for any of them.
 */
final class PathWalk {

	private static final int FIRST_VISIBLE = '!';

	private static final int LAST_VISIBLE = '~';

	private static final int FIRST_ABOVE_ASCII = 0x80;

	/**
	 * Who encodes a path more often wants to hide something.
	 */
	private static final int MOST_DECODED = 5;

	private final String path;

	private int position;

	private PathWalk(String path) {
		this.path = path;
	}

	/**
	 * Whether a target is printable ASCII, without a fragment.
	 */
	static boolean isVisible(String target) {
		for (int i = 0; i < target.length(); i++) {
			char character = target.charAt(i);
			if (character < FIRST_VISIBLE || character > LAST_VISIBLE || character == '#') {
				return false;
			}
		}
		return true;
	}

	/**
	 * Whether nobody can decode a path into another one. Most paths are so.
	 */
	static boolean isPlain(String path) {
		char previous = 0;
		for (int i = 0; i < path.length(); i++) {
			char character = path.charAt(i);
			if (character == '%' || character == '\\' || (character == '.' && previous == '/')) {
				return false;
			}
			previous = character;
		}
		return true;
	}

	/**
	 * Whether a path has an escape that is no text: NUL, or what is not UTF-8.
	 */
	static boolean isImpossible(String path) {
		PathWalk walk = new PathWalk(path);
		byte[] decoded = new byte[path.length()];
		int length = 0;
		boolean ascii = true;
		while (walk.isMore()) {
			int character = walk.next();
			if (character == 0) {
				return true;
			}
			ascii &= character < FIRST_ABOVE_ASCII;
			decoded[length++] = (byte) character;
		}
		return !ascii && !isUtf8(decoded, length);
	}

	private static boolean isUtf8(byte[] text, int length) {
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text, 0, length));
			return true;
		}
		catch (CharacterCodingException ex) {
			return false;
		}
	}

	static boolean hasEncodedSlash(String path) {
		PathWalk walk = new PathWalk(path);
		while (walk.isMore()) {
			boolean encoded = walk.isEscape();
			int character = walk.next();
			if (character == '\\' || (encoded && character == '/')) {
				return true;
			}
		}
		return false;
	}

	/**
	 * How many segments of a path the pattern of its route fixes.
	 */
	static int depth(@Nullable String pattern) {
		int depth = 0;
		for (String segment : (pattern != null) ? pattern.split("/") : new String[0]) {
			if (segment.equals("**") || segment.startsWith("{*")) {
				break;
			}
			depth += segment.isEmpty() ? 0 : 1;
		}
		return depth;
	}

	/**
	 * Whether a path leads up, out of its first segments, however often it is decoded.
	 * @param path the path
	 * @param depth how many segments it must not leave
	 */
	static boolean leaves(String path, int depth) {
		String decoded = path;
		for (int i = 0; i < MOST_DECODED; i++) {
			if (new PathWalk(decoded).leadsUp(depth)) {
				return true;
			}
			String next = new PathWalk(decoded).decoded();
			if (next.equals(decoded)) {
				return false;
			}
			decoded = next;
		}
		return true;
	}

	private boolean leadsUp(int depth) {
		int reached = 0;
		while (isMore()) {
			int step = segment();
			reached += step;
			if (step < 0 && reached < depth) {
				return true;
			}
		}
		return false;
	}

	private String decoded() {
		StringBuilder decoded = new StringBuilder(this.path.length());
		while (isMore()) {
			decoded.append((char) next());
		}
		return decoded.toString();
	}

	/**
	 * Pass what is a segment before it is decoded.
	 * @return how many segments it leads down, negative if it leads up
	 */
	private int segment() {
		int down = 0;
		int up = 0;
		boolean more = true;
		while (more) {
			int length = 0;
			int dots = 0;
			boolean parameters = false;
			more = false;
			while (isMore() && !more) {
				boolean encoded = isEscape();
				int character = next();
				if (character == '/' && !encoded) {
					break;
				}
				more = character == '/' || character == '\\';
				parameters |= character == ';';
				if (!parameters && !more) {
					length++;
					dots += (character == '.') ? 1 : 0;
				}
			}
			if (length == 2 && dots == 2) {
				up++;
			}
			else if (length > dots || length > 2) {
				down = 1;
			}
		}
		return (up > 0) ? -up : down;
	}

	private boolean isMore() {
		return this.position < this.path.length();
	}

	private boolean isEscape() {
		return this.path.charAt(this.position) == '%';
	}

	/**
	 * The next character, decoded.
	 */
	private int next() {
		int character = this.path.charAt(this.position++);
		if (character == '%' && hasHex()) {
			character = hex(0) << 4 | hex(1);
			this.position += 2;
		}
		return character;
	}

	private boolean hasHex() {
		return this.position + 1 < this.path.length() && hex(0) >= 0 && hex(1) >= 0;
	}

	private int hex(int offset) {
		return Character.digit(this.path.charAt(this.position + offset), 16);
	}

}
