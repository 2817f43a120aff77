package io.gatewaybench.webflux;

import java.security.cert.X509Certificate;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.cloud.gateway.config.AbstractSslConfigurer;
import org.springframework.cloud.gateway.config.HttpClientProperties;

/**
 * Certificates of the gateway's client for a client of the JDK.
 */
final class ClientCertificates extends AbstractSslConfigurer<@Nullable SSLContext, @Nullable SSLContext> {

	ClientCertificates(HttpClientProperties.Ssl properties, SslBundles bundles) {
		super(properties, bundles);
	}

	/**
	 * As the gateway's own configurer.
	 * @param usual what to take where nothing is configured
	 */
	@Override
	public @Nullable SSLContext configureSsl(@Nullable SSLContext usual) throws SSLException {
		SslContextBuilder builder = builder();
		return (builder != null) ? ((JdkSslContext) builder.build()).context() : usual;
	}

	/**
	 * The certificates, or {@code null} where nothing is configured.
	 */
	@Nullable SslContextBuilder builder() {
		SslBundle bundle = getBundle();
		X509Certificate[] trusted = getTrustedX509CertificatesForTrustManager();
		boolean insecure = getSslProperties().isUseInsecureTrustManager();
		if (bundle == null && trusted.length == 0 && !insecure && getSslProperties().getKeyStore() == null) {
			return null;
		}
		SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
		if (trusted.length > 0) {
			setTrustManager(builder, trusted);
		}
		else if (insecure) {
			setTrustManager(builder, InsecureTrustManagerFactory.INSTANCE);
		}
		else if (bundle != null) {
			setTrustManager(builder, bundle.getManagers().getTrustManagerFactory());
		}
		return builder
			.keyManager((bundle != null) ? bundle.getManagers().getKeyManagerFactory() : getKeyManagerFactory());
	}

}
