package io.gatewaybench.benchmark.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.observe.StackSamples.Node;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Profile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What Flight Recorder found, after the measurements.
 *
 * @param profiles one per variant, in the order of the suite
 */
record Profiles(List<Profile> profiles) {

	// With the names of their frames some 1.2 MB at most
	private static final int MOST_NODES = 12_000;

	static Profiles read(Findings findings) {
		List<Profile> profiles = new ArrayList<>();
		for (Path file : findings.files(Profile.DIRECTORY, ".json")) {
			Findings.text(file).ifPresent((json) -> profiles.add(profile(file, json)));
		}
		List<String> planned = findings.results().planned();
		profiles.sort(Comparator.comparingInt((profile) -> planned.indexOf(profile.scenario())));
		return new Profiles(profiles);
	}

	private static Profile profile(Path file, String json) {
		try {
			return JsonMapper.shared().readValue(json, Profile.class);
		}
		catch (JacksonException ex) {
			return Profile.failed("", Profile.DIRECTORY + "/" + file.getFileName(),
					"the file is no profile, or not all of it");
		}
	}

	private List<Profile> made() {
		return this.profiles.stream().filter((profile) -> profile.samples() != null).toList();
	}

	private static StackSamples samples(Profile profile) {
		return Objects.requireNonNull(profile.samples());
	}

	/**
	 * The stacks of all variants.
	 */
	Chart flames() {
		return Chart.of("flame", "Flame graph of each variant",
				"Each frame is a method, below the one that called it, and as wide as the part of the samples in which it was on the stack. "
						+ "Look for wide frames that have little below them: their own code takes the time. "
						+ "Click a frame to see it and what it called only, and the frame above it to go back.",
				List.of("variant", "depth", "frame", "self", "samples"), (rows) -> made().forEach((profile) -> {
					StackSamples samples = samples(profile);
					for (Node node : samples.largest(MOST_NODES / made().size())) {
						String frame = samples.frames().get(node.frame());
						rows.add(profile.variant(), node.depth(), (node.depth() == 0) ? threads(frame) : frame,
								node.self(), node.total());
					}
				}));
	}

	private static String threads(String group) {
		return Stream.of(ThreadGroup.values())
			.filter((known) -> known.name().equals(group))
			.map(ThreadGroup::title)
			.findFirst()
			.orElse(group);
	}

	Table table() {
		List<String> sentences = new ArrayList<>();
		this.profiles.forEach((profile) -> sentences
			.add((profile.samples() == null) ? profile.variant() + " has no profile: " + profile.failure() + "."
					: String.format(Locale.ROOT,
							"%s: %,d samples in %.0f s, under the load of %s, with %,.0f responses per second%s.",
							profile.variant(), profile.samples().samples(), profile.seconds(), profile.scenario(),
							profile.okPerSecond(), cut(profile.samples()))));
		if (!made().isEmpty()) {
			boolean cpuTime = made().stream().allMatch((profile) -> samples(profile).cpuTime());
			sentences.add((cpuTime
					? "Flight Recorder took a sample whenever a thread had used 5 ms of CPU time, in system calls and other native code, too. "
							+ "These are frames of the native method that was called. Garbage collection and compilers are not in a profile; "
					: "Flight Recorder looked at threads that ran Java code, some of them every 10 ms. Time in system calls and other "
							+ "native code, in garbage collection and in compilers is not in a profile; ")
					+ "they are in the CPU per request by thread group.");
			sentences
				.add("A profile tells where a variant spends its time. Two profiles do not tell which variant takes more: "
						+ "their widths are parts of different times. The measurements tell that, which were made without Flight Recorder.");
			sentences.add("What the JDK's tool lists of a recording: jfr view "
					+ (cpuTime ? "cpu-time-hot-methods" : "hot-methods")
					+ ", and jfr view allocation-by-site, with a file of profiles/.");
		}
		return Table.ofSentences("Profiles", sentences);
	}

	private static String cut(StackSamples samples) {
		return (samples.cut() == 0) ? "" : ", " + samples.cut() + " of them too deep to be recorded whole";
	}

}
