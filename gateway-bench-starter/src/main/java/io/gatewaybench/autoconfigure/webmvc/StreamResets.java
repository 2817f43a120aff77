package io.gatewaybench.autoconfigure.webmvc;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.BooleanSupplier;

import io.gatewaybench.webmvc.GatewayFilters;
import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.InputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lets the gateway know whether a client has reset its stream of HTTP/2. Tomcat does not
 * tell: a read that comes after the reset finds the end of the body, as if the client had
 * sent all, and half of an upload would be whole for the upstream (Tomcat 11.0.22). Only
 * a stream that can't be written to any more shows it, and Tomcat keeps that to itself.
 */
final class StreamResets extends ValveBase {

	private static final @Nullable MethodHandle CAN_WRITE = canWrite();

	StreamResets() {
		super(true);
	}

	private static @Nullable MethodHandle canWrite() {
		try {
			ClassLoader loader = InputBuffer.class.getClassLoader();
			Class<?> stream = Class.forName("org.apache.coyote.http2.Stream", false, loader);
			Class<?> body = Class.forName("org.apache.coyote.http2.Stream$StandardStreamInputBuffer", false, loader);
			Field streamOfBody = body.getDeclaredField("this$0");
			streamOfBody.setAccessible(true);
			Method canWrite = stream.getDeclaredMethod("canWrite");
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
		InputBuffer body = request.getCoyoteRequest().getInputBuffer();
		if (CAN_WRITE != null && "HTTP/2.0".equals(request.getProtocol())) {
			BooleanSupplier reset = () -> !canWrite(CAN_WRITE, body);
			request.setAttribute(GatewayFilters.CLIENT_RESET, reset);
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

}
