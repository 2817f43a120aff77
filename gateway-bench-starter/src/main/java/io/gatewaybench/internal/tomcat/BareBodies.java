package io.gatewaybench.internal.tomcat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.util.List;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.ActionHook;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Lets the gateway reset the connection of a client of HTTP/1.0, for whom the end of the
 * connection is the end of the body (RFC 9112, section 6.3). Tomcat closes a connection
 * on which a body was cut off as any other, and does not tell what it is.
 */
final class BareBodies extends ValveBase {

	private static final String HOOK = "hook";

	private static final String SOCKET_METHOD = "getSocketWrapper";

	private static final @Nullable MethodHandle SOCKET = socket();

	BareBodies() {
		super(true);
	}

	private static @Nullable MethodHandle socket() {
		try {
			Field hook = org.apache.coyote.Request.class.getDeclaredField(HOOK);
			hook.setAccessible(true);
			Method socket = AbstractProcessor.class.getDeclaredMethod(SOCKET_METHOD);
			socket.setAccessible(true);
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			MethodHandle ofHook = lookup.unreflect(socket)
				.asType(MethodType.methodType(SocketWrapperBase.class, ActionHook.class));
			return MethodHandles.filterArguments(ofHook, 0, lookup.unreflectGetter(hook))
				.asType(MethodType.methodType(SocketWrapperBase.class, org.apache.coyote.Request.class));
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Whether a connection can be reset with this Tomcat.
	 */
	static boolean canBeReset() {
		return SOCKET != null;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		if (SOCKET != null && "HTTP/1.0".equals(request.getProtocol())) {
			org.apache.coyote.Request coyote = request.getCoyoteRequest();
			Runnable resetOnClose = () -> resetOnClose(SOCKET, coyote);
			request.setAttribute(RequestAttributes.RESET_ON_CLOSE, resetOnClose);
		}
		getNext().invoke(request, response);
	}

	private static void resetOnClose(MethodHandle handle, org.apache.coyote.Request request) {
		try {
			SocketWrapperBase<?> socket = (SocketWrapperBase<?>) handle.invokeExact(request);
			if (socket.getSocket() instanceof NioChannel channel) {
				channel.getIOChannel().setOption(StandardSocketOptions.SO_LINGER, 0);
			}
		}
		catch (ClosedChannelException ex) {
			// Nobody sees how it ends
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Keeps in a native image what is called here.
	 */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection()
				.registerType(TypeReference.of(org.apache.coyote.Request.class), (type) -> type.withField(HOOK))
				.registerType(TypeReference.of(AbstractProcessor.class),
						(type) -> type.withMethod(SOCKET_METHOD, List.of(), ExecutableMode.INVOKE));
		}

	}

}
