package io.gatewaybench.benchmark.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import io.gatewaybench.benchmark.observe.StackSamples;
import io.gatewaybench.benchmark.observe.StackSamples.Node;
import io.gatewaybench.benchmark.observe.ThreadGroup;
import io.gatewaybench.benchmark.result.Profile;
import io.gatewaybench.benchmark.result.RunResults;
import org.jspecify.annotations.Nullable;
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

	Profiles {
		profiles = List.copyOf(profiles);
	}

	static Profiles read(RunResults results, RawFiles raw) {
		List<Profile> profiles = new ArrayList<>();
		raw.names()
			.stream()
			.filter((name) -> name.startsWith(Profile.DIRECTORY + "/") && name.endsWith(".json"))
			.forEach((name) -> raw.text(name).map((json) -> profile(name, json)).ifPresent(profiles::add));
		profiles.sort(Comparator.comparingInt((profile) -> results.planned().indexOf(profile.scenario())));
		return new Profiles(profiles);
	}

	private static Profile profile(String name, String json) {
		try {
			return JsonMapper.shared().readValue(json, Profile.class);
		}
		catch (JacksonException ex) {
			return Profile.failed("", name, "the file is no profile, or not all of it");
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
		for (ThreadGroup known : ThreadGroup.values()) {
			if (known.name().equals(group)) {
				return Costs.name(known);
			}
		}
		return group;
	}

	Section section() {
		return new Section.Sentences("Profiles", sentences());
	}

	private List<String> sentences() {
		List<String> sentences = new ArrayList<>();
		this.profiles.forEach((profile) -> sentences
			.add((profile.samples() == null) ? profile.variant() + " has no profile: " + profile.failure() + "."
					: String.format(Locale.ROOT,
							"%s: %,d samples in %.0f s, under the load of %s, with %,.0f responses per second%s.",
							profile.variant(), profile.samples().samples(), profile.seconds(), profile.scenario(),
							profile.okPerSecond(), cut(profile.samples()))));
		if (!made().isEmpty()) {
			sentences.add((made().stream().allMatch((profile) -> samples(profile).cpuTime())
					? "Flight Recorder took a sample whenever a thread had used 5 ms of CPU time, in system calls and other native code, too. "
							+ "These are frames of the native method that was called. Garbage collection and compilers are not in a profile; "
					: "Flight Recorder looked at threads that ran Java code, some of them every 10 ms. Time in system calls and other "
							+ "native code, in garbage collection and in compilers is not in a profile; ")
					+ "they are in the CPU per request by thread group.");
			sentences
				.add("A profile tells where a variant spends its time. Two profiles do not tell which variant takes more: "
						+ "their widths are parts of different times. The measurements tell that, which were made without Flight Recorder.");
			sentences.add(
					"What the JDK's tool lists of a recording: jfr view "
							+ (made().stream().allMatch((profile) -> samples(profile).cpuTime())
									? "cpu-time-hot-methods" : "hot-methods")
							+ ", and jfr view allocation-by-site, with a file of profiles/.");
		}
		return sentences;
	}

	private static String cut(StackSamples samples) {
		return (samples.cut() == 0) ? "" : ", " + samples.cut() + " of them too deep to be recorded whole";
	}

}
