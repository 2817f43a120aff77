package io.gatewaybench.internal.routing;

import java.lang.reflect.Field;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ReflectionUtils;

/**
 * Part of a predicate or a router for which there is no accessor. The visitors of the
 * gateways tell what is in a predicate, but not reliably how it is put together, and what
 * is guessed here would be a wrong route. It is read when an index is built, never for a
 * request.
 */
public final class PrivateField {

	private static final Log logger = LogFactory.getLog(PrivateField.class);

	private final String type;

	private final @Nullable Field field;

	/**
	 * Look for the field.
	 * @param type name of the class that declares it, as in {@link Class#getName()}
	 * @param name name of the field
	 */
	public PrivateField(String type, String name) {
		this.type = type;
		this.field = find(type, name);
		if (this.field == null) {
			logger.warn(("Routes with %s can't be indexed and are tried one after another, because it has no accessible"
					+ " field '%s'. Use versions of Spring that the starter is tested with")
				.formatted(type, name));
		}
	}

	private static @Nullable Field find(String type, String name) {
		try {
			Field field = ReflectionUtils.findField(Class.forName(type), name);
			return (field != null && field.trySetAccessible()) ? field : null;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return null;
		}
	}

	/**
	 * Keep the field in a native image, which drops what nobody names.
	 * @param hints what the image is told to keep
	 */
	public void registerHint(RuntimeHints hints) {
		Field known = this.field;
		if (known != null) {
			// By name, as the class may be an anonymous one
			hints.reflection()
				.registerType(TypeReference.of(this.type), (declaring) -> declaring.withField(known.getName()));
		}
	}

	/**
	 * Whether an object has the field.
	 * @param owner the object
	 * @return whether its class is the declaring one, not a subclass
	 */
	public boolean isIn(Object owner) {
		return owner.getClass().getName().equals(this.type);
	}

	/**
	 * Read the field.
	 * @param owner the object that has it
	 * @return the value, or {@code null} if there is none, or no such field in this
	 * version of the library
	 */
	public @Nullable Object of(Object owner) {
		return (this.field != null) ? ReflectionUtils.getField(this.field, owner) : null;
	}

}
