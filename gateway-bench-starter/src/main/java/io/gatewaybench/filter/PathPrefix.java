package io.gatewaybench.filter;

/**
 * Drops the first segments of a path.
 */
final class PathPrefix {

	private PathPrefix() {
	}

	/**
	 * Drop segments. Slashes in a row before a dropped segment count as one, as in the
	 * gateway's own {@code StripPrefix}; unlike there, what remains keeps every byte,
	 * doubled slashes included.
	 * @param rawPath encoded path
	 * @param parts how many segments to drop
	 * @return the remaining path, {@code /} at least
	 */
	static String strip(String rawPath, int parts) {
		int position = 0;
		for (int part = 0; part < parts; part++) {
			while (position < rawPath.length() && rawPath.charAt(position) == '/') {
				position++;
			}
			int slash = rawPath.indexOf('/', position);
			if (slash < 0) {
				return "/";
			}
			position = slash;
		}
		return (position == 0) ? rawPath : rawPath.substring(position);
	}

}
