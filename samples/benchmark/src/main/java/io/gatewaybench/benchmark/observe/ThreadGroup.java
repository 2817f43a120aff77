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
	EVENT_LOOP("event loops", "reactor-", "multiThreadIoEv", "nioEventLoop", "epollEventLoop"),

	/**
	 * Connector and workers of Tomcat.
	 */
	TOMCAT("Tomcat", "http-nio-", "https-jsse", "tomcat-", "Catalina-"),

	/**
	 * Carriers of virtual threads and what wakes those up.
	 */
	CARRIER("virtual threads", "ForkJoinPool-", "VirtualThread-", "Read-Poller", "Write-Poller", "Master-Poller"),

	/**
	 * Threads of a blocking gateway's HTTP client.
	 */
	CLIENT("HTTP client", "HttpClient-", "HttpClient@", "httpclient-", "OkHttp"),

	/**
	 * Garbage collection; the VM thread too, which collects in the serial collector.
	 */
	GC("GC", "GC Thread", "G1 ", "VM Thread", "ZDirector", "ZDriver", "ZWorker", "Shenandoah"),

	/**
	 * Compilers of the JVM.
	 */
	JIT("JIT", "C1 Compiler", "C2 Compiler"),

	/**
	 * The rest.
	 */
	OTHER("other"),

	/**
	 * Threads that ended during the measurement, which nobody can ask for their names any
	 * more; often compilers.
	 */
	ENDED("ended");

	private final String title;

	private final List<String> prefixes;

	ThreadGroup(String title, String... prefixes) {
		this.title = title;
		this.prefixes = List.of(prefixes);
	}

	/**
	 * What reports call it.
	 * @return the title
	 */
	public String title() {
		return this.title;
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
