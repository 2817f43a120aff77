package io.gatewaybench.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The class path of the tests without one library, for what the JVM links by itself and
 * no filtering class loader can hide.
 */
final class ClassPathWithout implements AutoCloseable {

	private final URLClassLoader loader;

	ClassPathWithout(Class<?> type) throws MalformedURLException {
		URL library = type.getProtectionDomain().getCodeSource().getLocation();
		List<URL> urls = new ArrayList<>();
		for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
			URL url = Path.of(element).toUri().toURL();
			if (!url.equals(library)) {
				urls.add(url);
			}
		}
		this.loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
	}

	/**
	 * Call a static method.
	 * @throws IllegalStateException with the message of what the method has thrown
	 */
	void run(Class<?> type, String method, String... arguments) {
		Thread thread = Thread.currentThread();
		ClassLoader contextLoader = thread.getContextClassLoader();
		thread.setContextClassLoader(this.loader);
		try {
			Method target = this.loader.loadClass(type.getName()).getDeclaredMethod(method, String[].class);
			target.setAccessible(true);
			target.invoke(null, (Object) arguments);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException(ex.getCause().getMessage(), ex);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			thread.setContextClassLoader(contextLoader);
		}
	}

	@Override
	public void close() throws IOException {
		this.loader.close();
	}

}
