package io.gatewaybench.internal.filter;

import java.io.Serializable;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Headers by name, in any case. A message has few, and names differ in length, so to look
 * at each is faster than to hash a name in lower case.
 */
final class HeaderMap extends AbstractMap<String, List<String>> implements Serializable {

	private static final long serialVersionUID = 1L;

	private final ArrayList<Entry<String, List<String>>> headers;

	/**
	 * Create the map.
	 * @param capacity how many headers it holds before it has to grow
	 */
	HeaderMap(int capacity) {
		this.headers = new ArrayList<>(capacity);
	}

	/**
	 * Put a header of which it is known that it is not there.
	 */
	void append(String name, List<String> values) {
		this.headers.add(new SimpleEntry<>(name, values));
	}

	/**
	 * Add a value to those of a header, whose first spelling stays.
	 */
	void add(String name, String value) {
		List<String> known = get(name);
		if (known == null) {
			known = new ArrayList<>(1);
			append(name, known);
		}
		known.add(value);
	}

	/**
	 * A header in another spelling is another one, which comes last, as with Spring.
	 */
	@Override
	public @Nullable List<String> put(String name, List<String> values) {
		int index = indexOf(name);
		if (index >= 0 && this.headers.get(index).getKey().equals(name)) {
			return this.headers.get(index).setValue(values);
		}
		List<String> previous = (index < 0) ? null : this.headers.remove(index).getValue();
		append(name, values);
		return previous;
	}

	@Override
	public @Nullable List<String> get(@Nullable Object name) {
		int index = indexOf(name);
		return (index < 0) ? null : this.headers.get(index).getValue();
	}

	@Override
	public boolean containsKey(@Nullable Object name) {
		return indexOf(name) >= 0;
	}

	@Override
	public @Nullable List<String> remove(@Nullable Object name) {
		int index = indexOf(name);
		return (index < 0) ? null : this.headers.remove(index).getValue();
	}

	@Override
	public int size() {
		return this.headers.size();
	}

	@Override
	public void forEach(BiConsumer<? super String, ? super List<String>> action) {
		for (Entry<String, List<String>> header : this.headers) {
			action.accept(header.getKey(), header.getValue());
		}
	}

	@Override
	public Set<String> keySet() {
		return new Names(super.keySet());
	}

	@Override
	public Set<Entry<String, List<String>>> entrySet() {
		return new Entries(this.headers);
	}

	private int indexOf(@Nullable Object name) {
		if (name instanceof String wanted) {
			for (int i = 0; i < this.headers.size(); i++) {
				if (this.headers.get(i).getKey().equalsIgnoreCase(wanted)) {
					return i;
				}
			}
		}
		return -1;
	}

	/**
	 * Those of the superclass know one spelling only.
	 */
	private final class Names extends AbstractSet<String> {

		private final Set<String> names;

		Names(Set<String> names) {
			this.names = names;
		}

		@Override
		public Iterator<String> iterator() {
			return this.names.iterator();
		}

		@Override
		public int size() {
			return this.names.size();
		}

		@Override
		public boolean contains(@Nullable Object name) {
			return containsKey(name);
		}

		@Override
		public boolean remove(@Nullable Object name) {
			return HeaderMap.this.remove(name) != null;
		}

	}

	private static final class Entries extends AbstractSet<Entry<String, List<String>>> {

		private final List<Entry<String, List<String>>> headers;

		Entries(List<Entry<String, List<String>>> headers) {
			this.headers = headers;
		}

		@Override
		public Iterator<Entry<String, List<String>>> iterator() {
			return this.headers.iterator();
		}

		@Override
		public int size() {
			return this.headers.size();
		}

	}

}
