package io.gatewaybench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each promise of SECURITY.md has its tests.
 */
class SecurityDocumentTests {

	private static final Map<String, List<String>> TESTS = new LinkedHashMap<>();

	static {
		TESTS.put("A request never reaches a host outside",
				List.of("contract/HostsContract.theTargetDoesNotChooseTheHost",
						"contract/HostsContract.aHeaderDoesNotChooseTheHost",
						"autoconfigure/BadConfigurationTests.anInstanceThatIsNotJustSchemeHostAndPortIsRefused"));
		TESTS.put("Configured and forwarded values can't inject",
				List.of("autoconfigure/BadConfigurationTests.aHeaderWithALineBreakIsRefused",
						"autoconfigure/BadConfigurationTests.aHeaderWhoseNameIsNoTokenIsRefused",
						"contract/HeadersContract.aBeanThatWouldSplitAMessageOrFailsIsRefusedAndTheConnectionIsLetGo",
						"contract/ForwardedContract.aPrefixThatAClientTellsIsNoPartOfThePathForTheUpstream",
						"contract/RoutingContract.aQueryIsPreservedByteForByte"));
		TESTS.put("A path that leaves the one of its route",
				List.of("contract/RequestSafetyContract.aPathThatLeavesTheOneOfItsRouteDoesNotArrive",
						"contract/RequestSafetyContract.aPathThatUpstreamsReadInDifferentWaysDoesNotArrive"));
		TESTS.put("A header that is removed or replaced",
				List.of("contract/HeadersContract.aHeaderInTwoSpellingsIsOneHeaderForEveryRule",
						"contract/HeadersContract.aFilterOfTheRouteRemovesAndReplacesAHeaderInTwoSpellings",
						"contract/HeadersContract.whatTheClientsConnectionNamesIsItsOwnAndNotWhatTheRouteAdds"));
		TESTS.put("What can be read in two ways is refused", List.of(
				"contract/RequestSafetyContract.aRequestOfUncertainLengthDoesNotArriveAndIsTheLastOfItsConnection",
				"contract/RequestSafetyContract.aHeadThatNamesNoCertainTargetDoesNotArrive",
				"contract/ResponsesContract.aMalformedResponseIsABadGateway",
				"contract/ResponsesContract.aBodyThatIsNotWholeIsNeverPassedOnAsIfItWere",
				"contract/TransferContract.anUploadThatTheClientBreaksOffIsNeverWholeForTheUpstream"));
		TESTS.put("What grows has a limit",
				List.of("contract/HeldMemoryContract.bodiesThatFindNoRoomAreStreamed",
						"contract/RequestBytesContract.aLargeBodyOfAMethodThatSeldomHasOneTakesNoMemoryWithoutLimit",
						"contract/RequestBytesContract.aLargeFormArrivesAsItIs",
						"contract/ConnectionsContract.theConnectionsToAnInstanceAreLimitedAndToWaitForOneHasAnEnd",
						"contract/ClientConnectionsContract.aConnectionOfHttp2EndsWhenTooManyStreamsAreCancelled",
						"contract/SlowClientsContract.aHeadThatComesByteByByteHasAnEnd",
						"contract/SlowClientsContract.aBodyThatDoesNotGoOnHasAnEndAndNoInstanceIsToBlame",
						"contract/MeterLimitsContract.noRequestMakesAMeterOfItsOwn",
						"contract/MeterLimitsContract.statusesHaveALimit",
						"contract/ResponsesContract.aMalformedResponseIsABadGateway",
						"contract/SmallHeapContract.slowResponsesThatTogetherAreLongerThanTheHeapAllArrive"));
		TESTS.put("The starter logs no value of a header",
				List.of("contract/LogsContract.aResponseOfAnyKindLeavesNothingOfItInTheLog",
						"contract/LogsContract.aRequestOfAnyKindLeavesNothingOfItInTheLog",
						"contract/LogsContract.aRequestThatFailsLeavesNothingOfItInTheLog",
						"contract/LogsContract.thePasswordOfAnInstanceThatComesWithARefreshIsNotTold"));
		TESTS.put("The endpoint `gatewaybench` is not exposed",
				List.of("contract/ActuatorContract.nothingIsExposedUnlessTheApplicationSaysSo"));
	}

	@Test
	void everyPromiseIsTested() throws IOException {
		List<String> promises = promises();
		assertThat(promises).hasSameSizeAs(TESTS.keySet())
			.zipSatisfy(TESTS.keySet(), (promise, beginning) -> assertThat(promise).startsWith(beginning));
		for (List<String> tests : TESTS.values()) {
			for (String test : tests) {
				String[] parts = test.split("\\.");
				assertThat(Path.of("src", "test", "java", "io", "gatewaybench", parts[0] + ".java")).content()
					.contains("void " + parts[1] + "(");
			}
		}
	}

	private static List<String> promises() throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("..", "SECURITY.md"))) {
			return lines.dropWhile((line) -> !line.equals("## What the starter promises"))
				.takeWhile((line) -> !line.equals("## What it does not do"))
				.filter((line) -> line.startsWith("- "))
				.map((line) -> line.substring(2))
				.toList();
		}
	}

}
