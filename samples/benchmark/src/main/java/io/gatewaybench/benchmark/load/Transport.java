package io.gatewaybench.benchmark.load;

import java.util.concurrent.TimeUnit;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * The way the event loop talks to the kernel.
 *
 * @param name the name in results
 * @param ioHandler creates the event loop's part
 * @param channel the type of a connection
 * @param shortestSleepNanos the shortest time to sleep until the next request is due;
 * requests that are due earlier leave together
 */
record Transport(String name, IoHandlerFactory ioHandler, Class<? extends SocketChannel> channel,
		long shortestSleepNanos) {

	/**
	 * The best transport of this machine.
	 * @return epoll, whose timers are exact to a fraction of a millisecond, where it runs
	 */
	static Transport best() {
		return Epoll.isAvailable() ? epoll() : nio();
	}

	// Going to sleep and waking up costs more than a request. At 5,000 requests per
	// second
	// on one core, 400 µs for the least sleep instead of 0 take a third off the CPU time,
	// and nothing changes below 2,500
	static Transport epoll() {
		return new Transport("epoll", EpollIoHandler.newFactory(), EpollSocketChannel.class,
				TimeUnit.MICROSECONDS.toNanos(400));
	}

	// A selector sleeps in whole milliseconds, and Netty spins through what is shorter
	static Transport nio() {
		return new Transport("nio", NioIoHandler.newFactory(), NioSocketChannel.class,
				TimeUnit.MILLISECONDS.toNanos(1));
	}

}
