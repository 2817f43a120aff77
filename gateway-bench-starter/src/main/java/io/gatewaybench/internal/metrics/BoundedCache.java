package io.gatewaybench.internal.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Values by name, created at first use while there is room; further names share one
 * value. Names may come from a service registry that never runs out of new ones, and
 * nothing may grow without a limit.
 *
 * @param <V> type of the values
 */
final class BoundedCache<V> {

	/** The name that is used when there is no room for a name of its own. */
	static final String OVERFLOW = "_other";

	private static final Log logger = LogFactory.getLog(BoundedCache.class);

	private final ConcurrentMap<String, V> values = new ConcurrentHashMap<>();

	private final AtomicBoolean overflown = new AtomicBoolean();

	private final String kind;

	private final Semaphore room;

	private final Function<String, V> factory;

	/**
	 * Creates an empty cache.
	 * @param kind what the names stand for, in plural, for the log
	 * @param room one permit per value, possibly shared with other caches
	 * @param factory creates the value of a name; it may be called twice for the same
	 * one, and one of the two values is dropped
	 */
	BoundedCache(String kind, Semaphore room, Function<String, V> factory) {
		this.kind = kind;
		this.room = room;
		this.factory = factory;
	}

	V get(String name) {
		V value = this.values.get(name);
		return (value != null) ? value : create(name);
	}

	/**
	 * Visits the names that are there, and their values.
	 */
	void forEach(BiConsumer<String, V> action) {
		this.values.forEach(action);
	}

	private V create(String name) {
		if (!this.room.tryAcquire()) {
			if (this.overflown.compareAndSet(false, true)) {
				logger.warn("There are too many " + this.kind + " for a meter each: '" + name
						+ "' and all further ones are counted together as '" + OVERFLOW + "'");
			}
			V shared = this.values.get(OVERFLOW);
			return (shared != null) ? shared : this.values.computeIfAbsent(OVERFLOW, this.factory);
		}
		V created = this.factory.apply(name);
		V existing = this.values.putIfAbsent(name, created);
		if (existing != null) {
			this.room.release();
			return existing;
		}
		return created;
	}

}
