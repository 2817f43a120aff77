package io.gatewaybench.benchmark.observe;

import java.util.List;

/**
 * What {@code /proc} tells of processes.
 */
interface ProcSource {

	/**
	 * The lines of a file.
	 * @param path its path below the root
	 * @return the lines, none if it is not there
	 */
	List<String> lines(String... path);

	/**
	 * The names in a directory.
	 * @param path its path below the root
	 * @return the names, none if it is not there
	 */
	List<String> names(String... path);

	/**
	 * How many of a process's file descriptors are sockets.
	 */
	int sockets(long pid);

}
