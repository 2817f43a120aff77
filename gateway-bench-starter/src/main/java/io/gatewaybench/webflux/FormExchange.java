package io.gatewaybench.webflux;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.ServerWebInputException;

/**
 * Keeps a form whose parameters another filter reads, such as Spring Security's. Without
 * it, that filter takes the body, and the upstream waits for the body until the timeout.
 */
final class FormExchange extends ServerWebExchangeDecorator {

	private static final FormHttpMessageReader READER = new FormHttpMessageReader();

	private static final ResolvableType TYPE = ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class,
			String.class);

	private final FormRequest request;

	private final Mono<MultiValueMap<String, String>> form;

	private FormExchange(ServerWebExchange exchange) {
		super(exchange);
		this.request = new FormRequest(exchange.getRequest());
		this.form = Mono.defer(this::parse).cache();
	}

	/**
	 * Decorate an exchange if its request is a form.
	 */
	static ServerWebExchange decorate(ServerWebExchange exchange) {
		return isForm(exchange.getRequest()) ? new FormExchange(exchange) : exchange;
	}

	private static boolean isForm(ServerHttpRequest request) {
		if (!HttpMethod.POST.equals(request.getMethod()) || !RequestWithBody.hasBody(request)) {
			return false;
		}
		String type = request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		return type != null && type.regionMatches(true, 0, MediaType.APPLICATION_FORM_URLENCODED_VALUE, 0,
				MediaType.APPLICATION_FORM_URLENCODED_VALUE.length());
	}

	@Override
	public ServerHttpRequest getRequest() {
		return this.request;
	}

	@Override
	public Mono<MultiValueMap<String, String>> getFormData() {
		return this.form;
	}

	private Mono<MultiValueMap<String, String>> parse() {
		return this.request.keep()
			.then(Mono.defer(() -> READER.readMono(TYPE, this.request, Map.of())))
			.defaultIfEmpty(new LinkedMultiValueMap<>())
			.onErrorMap(IllegalArgumentException.class,
					(error) -> new ServerWebInputException("The form is malformed", null, error))
			.onErrorMap(DataBufferLimitException.class,
					(error) -> new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE, "The form is too large",
							error));
	}

	private static final class FormRequest extends ServerHttpRequestDecorator {

		private volatile byte @Nullable [] kept;

		FormRequest(ServerHttpRequest request) {
			super(request);
		}

		/**
		 * Read the body, which has to fit into what Spring parses.
		 */
		Mono<Void> keep() {
			return DataBufferUtils.join(super.getBody(), READER.getMaxInMemorySize())
				.map(FormRequest::take)
				.defaultIfEmpty(new byte[0])
				.doOnNext((body) -> this.kept = body)
				.then();
		}

		private static byte[] take(DataBuffer buffer) {
			byte[] body = new byte[buffer.readableByteCount()];
			buffer.read(body);
			DataBufferUtils.release(buffer);
			return body;
		}

		/**
		 * Whoever changes the request asks for the body long before reading it.
		 */
		@Override
		public Flux<DataBuffer> getBody() {
			return Flux.defer(() -> {
				byte[] body = this.kept;
				if (body == null) {
					return super.getBody();
				}
				return (body.length == 0) ? Flux.empty()
						: Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body));
			});
		}

	}

}
