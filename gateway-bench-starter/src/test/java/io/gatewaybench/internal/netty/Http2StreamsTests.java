package io.gatewaybench.internal.netty;

import java.util.concurrent.atomic.AtomicInteger;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class Http2StreamsTests {

	@Test
	void whatAReadWritesIsSentAlsoWhereTheStreamReadsAlready() {
		AtomicInteger reads = new AtomicInteger();
		AtomicInteger flushes = new AtomicInteger();
		EmbeddedChannel channel = new EmbeddedChannel();
		channel.config().setAutoRead(false);
		channel.pipeline().addLast(new ChannelOutboundHandlerAdapter() {

			@Override
			public void read(ChannelHandlerContext context) {
				reads.incrementAndGet();
			}

			@Override
			public void flush(ChannelHandlerContext context) {
				assertThat(flushes.incrementAndGet()).isEqualTo(reads.get());
			}

		}, new Http2Streams());
		channel.read();
		channel.read();
		assertThat(flushes).hasValue(2);
		channel.close();
	}

}
