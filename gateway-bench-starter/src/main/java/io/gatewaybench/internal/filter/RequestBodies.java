package io.gatewaybench.internal.filter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatewaybench.internal.rewrite.HeldMemory;
import io.gatewaybench.upstream.Instance;
import io.gatewaybench.upstream.Upstream;
import io.gatewaybench.upstream.UpstreamException;
import io.gatewaybench.upstream.UpstreamFailure;

/**
 * Limits what slow clients take from others while they send bodies. A short body is read
 * before a connection to an upstream is taken. One that is long, or that finds no room,
 * is sent on as it comes, and so are those whose length is unknown. These take half of
 * the connections at most.
 */
public final class RequestBodies {

	private static final int LONGEST = 64 * 1024;

	private final HeldMemory memory;

	private final int connections;

	private final Map<String, Integer> uploads = new ConcurrentHashMap<>();

	/**
	 * Create the limits.
	 * @param memory what there is for all bodies that are held
	 * @param connections how many connections there may be to one instance
	 */
	public RequestBodies(HeldMemory memory, int connections) {
		this.memory = memory;
		this.connections = connections;
	}

	/**
	 * Take the memory for a body.
	 * @param length how long the body is, in bytes; not positive if that is unknown
	 * @return whether to read it first; then the memory is to be given back
	 */
	public boolean take(long length) {
		return length > 0 && length <= LONGEST && this.memory.take(length);
	}

	/**
	 * The body is not needed any more.
	 * @param length how long it was, in bytes
	 */
	public void giveBack(long length) {
		this.memory.giveBack(length);
	}

	/**
	 * A body is about to be sent to an upstream as it comes.
	 * @param upstream the upstream
	 * @return its place among such bodies
	 * @throws UpstreamException if they have half of the connections
	 */
	public Upload begin(Upstream upstream) {
		return begin(upstream.toString(), upstream.share(this.connections) / 2);
	}

	/**
	 * A body is about to be sent to an address as it comes.
	 * @param address the address
	 * @return its place among such bodies
	 * @throws UpstreamException if they have half of the connections
	 */
	public Upload begin(Instance address) {
		return begin(address.authority(), this.connections / 2);
	}

	private Upload begin(String target, long most) {
		int count = this.uploads.merge(target, 1, Integer::sum);
		Upload upload = new Upload(target);
		if (count > Math.max(1, most)) {
			upload.end();
			throw new UpstreamException(UpstreamFailure.NO_CONNECTION, null);
		}
		return upload;
	}

	/**
	 * The place of a body that is sent as it comes. It ends when the client has sent all,
	 * or when the request is over.
	 */
	public final class Upload {

		private final String target;

		private final AtomicBoolean ended = new AtomicBoolean();

		private Upload(String target) {
			this.target = target;
		}

		/**
		 * It takes no connection from others any more. May be called several times.
		 */
		public void end() {
			if (this.ended.compareAndSet(false, true)) {
				RequestBodies.this.uploads.computeIfPresent(this.target,
						(target, count) -> (count > 1) ? count - 1 : null);
			}
		}

	}

}
