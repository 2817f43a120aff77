package io.gatewaybench.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page in Chinese says is what its source in English says.
 */
class ChinesePagesTests {

	private static final Path DOCS = Path.of("..", "..", "docs");

	private static final Pattern SOURCE = Pattern.compile("\\A---\nsource: (\\S+)\nsource-sha256: (\\S+)\n");

	private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");

	@ParameterizedTest
	@MethodSource("pages")
	void thePageIsAsNewAsItsSource(Page page) throws Exception {
		byte[] source = Files.readAllBytes(DOCS.resolve(page.source()));
		byte[] hash = MessageDigest.getInstance("SHA-256").digest(source);
		String digest = HexFormat.of().formatHex(hash).substring(0, 16);
		String advice = """
				docs/%1$s changed, and docs/zh/%2$s does not say so yet.
				Bring it up to date with what this shows: git log -p -- docs/%1$s
				Then write 'source-sha256: %3$s' at its top.
				""".formatted(page.source(), page.name(), digest);
		assertThat(page.digest()).as(advice).isEqualTo(digest);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void thePageHasTheCodeOfItsSource(Page page) throws IOException {
		String advice = "docs/zh/%s beside docs/%s".formatted(page.name(), page.source());
		assertThat(code("zh/" + page.name())).as(advice).isEqualTo(code(page.source()));
	}

	/**
	 * Without comments, as these are in the language of the page.
	 */
	private static List<String> code(String page) throws IOException {
		Matcher blocks = CODE.matcher(Files.readString(DOCS.resolve(page)));
		return blocks.results().map((block) -> block.group().replaceAll(" +# .*", "")).toList();
	}

	static List<Page> pages() throws IOException {
		List<Page> pages = new ArrayList<>();
		try (Stream<Path> files = Files.list(DOCS.resolve("zh"))) {
			for (Path file : files.sorted().toList()) {
				Matcher source = SOURCE.matcher(Files.readString(file));
				if (source.find()) {
					pages.add(new Page(file.getFileName().toString(), source.group(1), source.group(2)));
				}
			}
		}
		assertThat(pages).hasSizeGreaterThanOrEqualTo(7);
		return pages;
	}

	/**
	 * A page in Chinese.
	 *
	 * @param name the name of its file
	 * @param source the file in English, under docs
	 * @param digest the beginning of the SHA-256 of that file when the page was written
	 */
	record Page(String name, String source, String digest) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
