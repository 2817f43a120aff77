package io.gatewaybench.internal.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import io.gatewaybench.Flavour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class CsvFileTests {

	private static final ZonedDateTime STARTED = ZonedDateTime.of(2025, 12, 11, 9, 5, 7, 0, ZoneId.of("UTC+1"));

	private static final String HEADER = "First,Second\n";

	@TempDir
	Path directory;

	@Test
	void theNameTellsFlavourAndStart() throws IOException {
		try (CsvFile webflux = file(this.directory, Flavour.WEBFLUX);
				CsvFile webmvc = file(this.directory, Flavour.WEBMVC)) {
			assertThat(webflux.path()).isEqualTo(this.directory.resolve("gateway-webflux_metrics_20251211-090507.csv"));
			assertThat(webmvc.path()).isEqualTo(this.directory.resolve("gateway-webmvc_metrics_20251211-090507.csv"));
		}
	}

	@Test
	void absentDirectoriesAreCreatedAndTheHeaderIsThereAtOnce() throws IOException {
		try (CsvFile file = file(this.directory.resolve("a/b"), Flavour.WEBFLUX)) {
			file.open();

			assertThat(file.path()).hasContent(HEADER);
		}
	}

	@Test
	void aLinkToADirectoryIsFollowed() throws IOException {
		Path target = Files.createDirectory(this.directory.resolve("target"));
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), target);
		try (CsvFile file = file(link, Flavour.WEBFLUX)) {
			file.open();

			assertThat(target).isDirectoryContaining("glob:**.csv");
		}
	}

	@Test
	void aNameThatIsTakenGetsANumberAndTheOtherFileIsLeftAlone() throws IOException {
		try (CsvFile first = file(this.directory, Flavour.WEBFLUX);
				CsvFile second = file(this.directory, Flavour.WEBFLUX);
				CsvFile third = file(this.directory, Flavour.WEBFLUX)) {
			first.append("first\n");
			second.append("second\n");
			third.append("third\n");

			assertThat(first.path()).hasContent(HEADER + "first\n");
			assertThat(second.path()).hasFileName("gateway-webflux_metrics_20251211-090507-2.csv")
				.hasContent(HEADER + "second\n");
			assertThat(third.path()).hasFileName("gateway-webflux_metrics_20251211-090507-3.csv")
				.hasContent(HEADER + "third\n");
		}
	}

	@Test
	void aLineThatDoesNotFitIsTakenBackAndTheNextOneFollowsTheLastWholeOne() throws IOException {
		LimitedDisk disk = new LimitedDisk();
		try (CsvFile file = new CsvFile(this.directory, Flavour.WEBFLUX, STARTED, HEADER, disk)) {
			file.append("one\n");
			disk.leaveRoom(5);
			assertThatIOException().isThrownBy(() -> file.append("a long line\n"))
				.withMessage("No space left on device");
			assertThat(file.path()).hasContent(HEADER + "one\n");
			disk.leaveRoom(1000);

			file.append("two\n");

			assertThat(file.path()).hasContent(HEADER + "one\ntwo\n");
		}
	}

	@Test
	void theRestOfALineThatCouldNotBeTakenBackIsGoneAfterTheNext() throws IOException {
		LimitedDisk disk = new LimitedDisk();
		try (CsvFile file = new CsvFile(this.directory, Flavour.WEBFLUX, STARTED, HEADER, disk)) {
			file.append("one\n");
			disk.leaveRoom(5);
			disk.refuseToTruncate(true);
			assertThatIOException().isThrownBy(() -> file.append("a long line\n"));
			disk.refuseToTruncate(false);
			disk.leaveRoom(1000);

			file.append("2\n");

			assertThat(file.path()).hasContent(HEADER + "one\n2\n");
		}
	}

	@Test
	void aHeaderThatDidNotFitIsWrittenWhenThereIsRoom() throws IOException {
		LimitedDisk disk = new LimitedDisk();
		disk.leaveRoom(7);
		try (CsvFile file = new CsvFile(this.directory, Flavour.WEBFLUX, STARTED, HEADER, disk)) {
			assertThatIOException().isThrownBy(file::open);
			assertThat(file.path()).isEmptyFile();
			disk.leaveRoom(1000);

			file.append("one\n");

			assertThat(file.path()).hasContent(HEADER + "one\n");
		}
	}

	@Test
	void afterItsChannelWasClosedANewFileIsStarted() throws IOException {
		LimitedDisk disk = new LimitedDisk();
		try (CsvFile file = new CsvFile(this.directory, Flavour.WEBFLUX, STARTED, HEADER, disk)) {
			file.append("one\n");
			disk.closeChannels();

			file.append("two\n");

			assertThat(file.path()).hasFileName("gateway-webflux_metrics_20251211-090507-2.csv")
				.hasContent(HEADER + "two\n");
		}
	}

	private static CsvFile file(Path directory, Flavour flavour) {
		return new CsvFile(directory, flavour, STARTED, HEADER, CsvFile.Opener.DISK);
	}

}
