package io.gatewaybench.webflux;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import reactor.netty.Connection;

import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;

/**
 * Exchange in which the gateway finds its connection to the upstream only as an
 * {@link ExchangeConnection}. A guard that comes later is too late for a client that
 * leaves as its response begins.
 */
final class GuardedExchange extends ServerWebExchangeDecorator {

	private final Attributes attributes;

	GuardedExchange(ServerWebExchange exchange) {
		super(exchange);
		this.attributes = new Attributes(exchange.getAttributes());
	}

	@Override
	public Map<String, Object> getAttributes() {
		return this.attributes;
	}

	/**
	 * View of the attributes of the exchange itself.
	 */
	private static final class Attributes extends AbstractMap<String, Object> {

		private final Map<String, Object> all;

		Attributes(Map<String, Object> all) {
			this.all = all;
		}

		@Override
		public @Nullable Object put(String name, Object value) {
			boolean connection = ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR.equals(name);
			return this.all.put(name, connection ? ExchangeConnection.guarded((Connection) value) : value);
		}

		@Override
		public @Nullable Object get(Object name) {
			return this.all.get(name);
		}

		@Override
		public boolean containsKey(Object name) {
			return this.all.containsKey(name);
		}

		@Override
		public @Nullable Object remove(Object name) {
			return this.all.remove(name);
		}

		@Override
		public Set<Entry<String, Object>> entrySet() {
			return this.all.entrySet();
		}

	}

}
