package io.gatewaybench.benchmark.observe;

import java.util.List;

/**
 * What a thread of a gateway, a backend or the generator is for, by its name as the
 * kernel knows it (15 characters).
 */
public enum ThreadGroup {

	/**
	 * Event loops of Netty.
	 */
	EVENT_LOOP("reactor-", "multiThreadIoEv", "nioEventLoop", "epollEventLoop"),

	/**
	 * Connector and workers of Tomcat.
	 */
	TOMCAT("http-nio-", "https-jsse", "tomcat-", "Catalina-"),

	/**
	 * Carriers of virtual threads and what wakes those up.
	 */
	CARRIER("ForkJoinPool-", "VirtualThread-", "Read-Poller", "Write-Poller", "Master-Poller"),

	/**
	 * Threads of a blocking gateway's HTTP client.
	 */
	CLIENT("HttpClient-", "HttpClient@", "httpclient-", "OkHttp"),

	/**
	 * Garbage collection; the VM thread too, which collects in the serial collector.
	 */
	GC("GC Thread", "G1 ", "VM Thread", "ZDirector", "ZDriver", "ZWorker", "Shenandoah"),

	/**
	 * Compilers of the JVM.
	 */
	JIT("C1 Compiler", "C2 Compiler"),

	/**
	 * The rest.
	 */
	OTHER,

	/**
	 * Threads that ended during the measurement, which nobody can ask for their names any
	 * more; often compilers.
	 */
	ENDED;

	private final List<String> prefixes;

	ThreadGroup(String... prefixes) {
		this.prefixes = List.of(prefixes);
	}

	static ThreadGroup of(String name) {
		for (ThreadGroup group : values()) {
			if (group.prefixes.stream().anyMatch(name::startsWith)) {
				return group;
			}
		}
		return OTHER;
	}

}
