package io.gatewaybench.internal.tomcat;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.function.BooleanSupplier;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.CloseNowException;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Lets the gateway know whether a client has reset its stream of HTTP/2. Tomcat does not
 * tell: a read that comes after the reset finds the end of the body, as if the client had
 * sent all, and half of an upload would be whole for the upstream (Tomcat 11.0.22). Only
 * a stream that can't be written to any more shows it, and Tomcat keeps that to itself. A
 * client that pauses for too long gets 408 as it does over HTTP/1.1.
 */
final class StreamResets extends ValveBase {

	private static final String STREAM = "org.apache.coyote.http2.Stream";

	private static final String BODY = "org.apache.coyote.http2.Stream$StandardStreamInputBuffer";

	private static final String STREAM_OF_BODY = "this$0";

	private static final String CAN_WRITE_METHOD = "canWrite";

	private static final @Nullable MethodHandle CAN_WRITE = canWrite();

	StreamResets() {
		super(true);
	}

	private static @Nullable MethodHandle canWrite() {
		try {
			ClassLoader loader = InputBuffer.class.getClassLoader();
			Class<?> stream = Class.forName(STREAM, false, loader);
			Class<?> body = Class.forName(BODY, false, loader);
			Field streamOfBody = body.getDeclaredField(STREAM_OF_BODY);
			streamOfBody.setAccessible(true);
			Method canWrite = stream.getDeclaredMethod(CAN_WRITE_METHOD);
			canWrite.setAccessible(true);
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			return MethodHandles.filterArguments(lookup.unreflect(canWrite), 0, lookup.unreflectGetter(streamOfBody))
				.asType(MethodType.methodType(boolean.class, InputBuffer.class));
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Whether a reset can be seen with this Tomcat.
	 */
	static boolean areSeen() {
		return CAN_WRITE != null;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		if (CAN_WRITE != null && "HTTP/2.0".equals(request.getProtocol())
				&& request.getAttribute(RequestAttributes.CLIENT_RESET) == null) {
			InputBuffer body = request.getCoyoteRequest().getInputBuffer();
			BooleanSupplier reset = () -> !canWrite(CAN_WRITE, body);
			request.setAttribute(RequestAttributes.CLIENT_RESET, reset);
			request.getCoyoteRequest().setInputBuffer(new TimedBody(body));
		}
		getNext().invoke(request, response);
	}

	private static boolean canWrite(MethodHandle handle, InputBuffer body) {
		try {
			return (boolean) handle.invokeExact(body);
		}
		catch (ClassCastException ex) {
			// The body of an upgraded request was read before
			return true;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Tells of a pause as Tomcat does over HTTP/1.1. Over HTTP/2, Tomcat would have
	 * answered 400 before the application knows.
	 *
	 * @param delegate the body
	 */
	private record TimedBody(InputBuffer delegate) implements InputBuffer {

		@Override
		public int doRead(ApplicationBufferHandler handler) throws IOException {
			try {
				return this.delegate.doRead(handler);
			}
			catch (CloseNowException ex) {
				SocketTimeoutException timeout = new SocketTimeoutException(ex.getMessage());
				timeout.initCause(ex);
				throw timeout;
			}
		}

		@Override
		public int available() {
			return this.delegate.available();
		}

	}

	/**
	 * Keeps in a native image what is called here.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection()
				.registerType(TypeReference.of(STREAM),
						(type) -> type.withMethod(CAN_WRITE_METHOD, List.of(), ExecutableMode.INVOKE))
				.registerType(TypeReference.of(BODY), (type) -> type.withField(STREAM_OF_BODY));
		}

	}

}
