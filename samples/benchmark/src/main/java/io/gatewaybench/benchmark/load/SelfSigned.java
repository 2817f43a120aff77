package io.gatewaybench.benchmark.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.gatewaybench.benchmark.failure.BenchFailure;
import org.jspecify.annotations.Nullable;

/**
 * New keys, with certificates that nobody but themselves has signed.
 */
public final class SelfSigned {

	private static final String ALIAS = "rmi";

	private static final String PASSWORD = "changeit";

	private static @Nullable String pem;

	private SelfSigned() {
	}

	/**
	 * Makes a key.
	 * @param store the file, which is not there yet
	 * @param password of the store
	 * @param key options of keytool that say what kind of key
	 * @throws BenchFailure if the JDK can't do it
	 */
	public static void make(Path store, String password, String... key) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
						ALIAS, "-dname", "CN=gateway-bench", "-validity", "3650", "-storetype", "PKCS12", "-storepass",
						password, "-keystore", store.toString()));
		command.addAll(List.of(key));
		Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (keytool.waitFor() != 0) {
				throw new BenchFailure("No key can be made: " + output.strip());
			}
		}
		finally {
			keytool.destroyForcibly();
		}
	}

	/**
	 * The key of this run and its certificate, as most servers want them. It is made
	 * once, as that takes a busy machine seconds.
	 * @return both as PEM
	 * @throws BenchFailure if they can't be made
	 */
	public static synchronized String pem() throws InterruptedException {
		if (pem == null) {
			try {
				Path directory = Files.createTempDirectory("gateway-bench-tls");
				Path store = directory.resolve("tls.p12");
				make(store, PASSWORD, "-keyalg", "EC", "-groupname", "secp256r1");
				char[] secret = PASSWORD.toCharArray();
				KeyStore keys = KeyStore.getInstance(store.toFile(), secret);
				pem = pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded())
						+ pem("PRIVATE KEY", keys.getKey(ALIAS, secret).getEncoded());
				Files.delete(store);
				Files.delete(directory);
			}
			catch (IOException | GeneralSecurityException ex) {
				throw new BenchFailure("No certificate can be made: " + ex, ex);
			}
		}
		return pem;
	}

	private static String pem(String what, byte[] content) {
		return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what,
				Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content));
	}

}
