package io.gatewaybench.benchmark.report;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;

import io.gatewaybench.benchmark.result.RunResults;
import io.gatewaybench.benchmark.result.RunResults.Status;
import io.gatewaybench.benchmark.result.SampleResults;
import io.gatewaybench.benchmark.result.ThresholdResult;
import io.gatewaybench.benchmark.result.ThresholdResult.Outcome;
import io.gatewaybench.benchmark.statistics.Interval;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.print.PrintOptions;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("browser")
@EnabledIf(value = "thereIsABrowserOrCi", disabledReason = HtmlReportBrowserTests.WHAT_IT_NEEDS)
class HtmlReportBrowserTests {

	static final String WHAT_IT_NEEDS = "needs chromium and chromedriver on the PATH (Debian: apt-get install chromium chromium-driver)";

	private static final RunResults RESULTS = SampleResults.of("A title", Status.COMPLETE, SampleResults.direct(1),
			SampleResults.direct(2), SampleResults.good("webflux-c16", "WebFlux", 1, 400),
			SampleResults.good("webflux-c16", "WebFlux", 2, 440), SampleResults.good("webmvc-c16", "WebMVC", 1, 800),
			SampleResults.good("webmvc-c16", "WebMVC", 2, 900), SampleResults.lossy("webmvc-c16", "WebMVC", 3),
			SampleResults.atRate("WebFlux", 1, 500), SampleResults.atRate("WebFlux", 1, 1000),
			SampleResults.atRate("WebMVC", 1, 500), SampleResults.atRate("WebMVC", 1, 1000))
		.withThresholds(List.of(
				new ThresholdResult("webmvc.cpu > 1.10 * webflux.cpu", "c16", Outcome.FAILED,
						new Interval(1.84, 1.60, 2.12, 2), "It holds in the whole 95 % confidence interval."),
				new ThresholdResult("webmvc.service-p99 > webflux.service-p99", "c16", Outcome.INCONCLUSIVE,
						new Interval(1.01, 0.97, 1.05, 2),
						"It holds in a part of the 95 % confidence interval; --starts 9 could tell."),
				new ThresholdResult("webflux.cpu > 1ms", "c16", Outcome.PASSED, new Interval(0.4, 0.3, 0.5, 2),
						"It holds nowhere in the 95 % confidence interval.")));

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final int WIDE = 1280;

	// As wide as many phones
	private static final int NARROW = 375;

	// All charts are in sight, and so drawn
	private static final int HIGH = 8000;

	@TempDir
	private static Path directory;

	private static ChromeDriver browser;

	private static String page;

	@BeforeAll
	static void startTheBrowser() throws IOException {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		logs.enable(LogType.PERFORMANCE, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(executable("chromium").orElseThrow(() -> new AssertionError(WHAT_IT_NEEDS)));
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		// With an executable, Selenium looks for none and loads none
		File driver = executable("chromedriver").orElseThrow(() -> new AssertionError(WHAT_IT_NEEDS));
		browser = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(driver).build(), options);
		command("Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", directory.toString()));
		Files.createDirectories(SCREENSHOTS);
		page = write(RESULTS, directory);
	}

	@AfterAll
	static void stopTheBrowser() {
		if (browser != null) {
			browser.quit();
		}
	}

	@BeforeEach
	void openThePage() {
		allowScripts(true);
		colourScheme("light");
		size(WIDE, HIGH);
		browser.get(page);
		await().until(HtmlReportBrowserTests::allChartsAreDrawn);
	}

	@AfterEach
	void theConsoleIsEmptyAndNothingButThePageIsLoaded() {
		assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
		assertThat(browser.manage().logs().get(LogType.PERFORMANCE).getAll())
			.map((entry) -> JsonMapper.shared().readTree(entry.getMessage()).path("message"))
			.filteredOn((event) -> event.path("method").asString().equals("Network.requestWillBeSent"))
			.map((event) -> event.at("/params/request/url").asString())
			.isNotEmpty()
			.allSatisfy((address) -> assertThat(address).matches("file:.*/(report\\.html|shared/.*)|data:.*|blob:.*"));
	}

	@Test
	void allChartsAreDrawnWithTheFiguresOfTheResults() {
		assertThat(List.of(new Drawn("ratios", List.of("metric"), 0, List.of("ratio", "low", "high")),
				new Drawn("figures", List.of("metric"), 0, List.of("value")),
				new Drawn("cpu", List.of(), 0, List.of("µs per request")),
				new Drawn("percentiles", List.of("load", "view"), 1, List.of("ms")),
				new Drawn("rates", List.of(), 1, List.of("ms")),
				new Drawn("series", List.of("measurement"), 1,
						List.of("offered", "sent", "ok", "errors", "P50, ms", "P99, ms", "max, ms",
								"generator lag, ms"))))
			.allSatisfy(HtmlReportBrowserTests::assertThatItHasTheFiguresOfTheResults);
	}

	/**
	 * Which columns of a chart are chosen by, and which have the figures on an axis.
	 */
	private record Drawn(String id, List<String> chosenBy, int axis, List<String> columns) {
	}

	private static void assertThatItHasTheFiguresOfTheResults(Drawn expected) throws IOException {
		Chart chart = new Charts(new Findings(RESULTS, Path.of("no-such-directory"))).all()
			.stream()
			.filter((each) -> each.id().equals(expected.id()))
			.findFirst()
			.orElseThrow();
		List<Integer> selects = indexes(chart, expected.chosenBy());
		Map<Integer, Object> chosen = selects.stream()
			.collect(Collectors.toMap(Function.identity(), (column) -> chosen(chart, column)));
		List<Double> figures = chart.rows()
			.stream()
			.filter((row) -> selects.stream().allMatch((column) -> chosen.get(column).equals(row.get(column))))
			.flatMap((row) -> indexes(chart, expected.columns()).stream().map(row::get))
			.filter(Objects::nonNull)
			.map((figure) -> ((Number) figure).doubleValue())
			.toList();
		// Threads that took no time have no bar, and a page has six digits of a figure
		assertThat(drawn(expected.id(), expected.axis())).filteredOn((figure) -> figure != 0)
			.isNotEmpty()
			.usingElementComparator(
					(one, other) -> (Math.abs(one - other) <= 1e-5 * Math.abs(one)) ? 0 : Double.compare(one, other))
			.containsExactlyInAnyOrderElementsOf(figures.stream().filter((figure) -> figure != 0).toList());
		assertThat(hasColours(png(expected.id()))).isTrue();
	}

	@Test
	void theFirstSecondsThatAreShownAreThoseOfAGateway() {
		assertThat(selected("series", "measurement")).isEqualTo("WebFlux, 500/s");
	}

	/**
	 * Moves the mouse into the middle of a chart, near second 15.
	 * @param top how far below its upper edge
	 */
	private static void moveInto(String id, int top) {
		WebElement canvas = in(id, "//canvas");
		new Actions(browser).moveToElement(canvas, 34, top - canvas.getSize().getHeight() / 2).perform();
	}

	@Test
	void aFigureStandsInTheRowOfItsVariant() {
		assertThat(script("return chart('figures').getOption().series.at(-1).data.map((item) => item.value)"))
			.asInstanceOf(LIST)
			.contains(List.of(400L, 4L), List.of(440L, 4L), List.of(800L, 5L), List.of(900L, 5L));
		assertThat(script("return chart('figures').getOption().yAxis[0].data")).asInstanceOf(LIST)
			.hasSize(6)
			.endsWith("WebFlux, 16 conn.", "WebMVC, 16 conn.");
	}

	@Test
	void anotherMetricIsDrawnWhenItIsChosen() {
		in("figures", "//option[.='throughput']").click();
		assertThat(drawn("figures", 0)).contains(430.1).doesNotContain(400.0);
	}

	@Test
	void aNameInTheLegendHidesItsCurveAndShowsItAgain() {
		String whole = picture("series");
		WebElement name = in("series", "//button[.='ok']");
		name.click();
		assertThat(name.getDomAttribute("aria-pressed")).isEqualTo("false");
		assertThat(picture("series")).isNotEqualTo(whole);
		name.click();
		assertThat(name.getDomAttribute("aria-pressed")).isEqualTo("true");
		assertThat(picture("series")).isEqualTo(whole);
	}

	@Test
	void aFlameGraphHasTheFramesOfTheProfileAtTheirPlaces() throws IOException {
		assertThat(frames()).containsExactly("all threads 0 0 1000", "event loops 0 1 900",
				"io.netty.EventLoop.run 0 2 900", "io.netty.Channel.read 0 3 500", "java.util.HashMap.get 0 4 400",
				"reactor.core.Mono.subscribe 500 3 300", "java.util.HashMap.get 500 4 250",
				SampleResults.HOSTILE + " 750 4 50", "java.util.HashMap.get 900 1 100");
		assertThat(hasColours(png("flame"))).isTrue();
		in("flame", "//option[.='WebMVC']").click();
		assertThat(frames()).containsExactly("all threads 0 0 10", "Tomcat 0 1 10", "java.lang.Thread.run 0 2 10");
	}

	@Test
	void aClickOnAFrameShowsItUnderItsCallerAndOneOnTheCallerGoesBack() {
		click("flame", 600, 3);
		assertThat(frames()).containsExactly("io.netty.EventLoop.run 500 0 300",
				"reactor.core.Mono.subscribe 500 1 300", "java.util.HashMap.get 500 2 250",
				SampleResults.HOSTILE + " 750 2 50");
		assertThat(told()).isEqualTo("reactor.core.Mono.subscribe: 30.0 % of the samples, 0.0 % of its own");
		click("flame", 600, 0);
		assertThat(frames()).startsWith("event loops 0 0 900", "io.netty.EventLoop.run 0 1 900");
		in("flame", "//button[.='Reset']").click();
		assertThat(frames()).startsWith("all threads 0 0 1000");
	}

	@Test
	void theKeysGoFromFrameToFrame() {
		WebElement graph = in("flame", "//*[@role='application']");
		graph.sendKeys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN);
		assertThat(told()).startsWith("io.netty.Channel.read: 50.0 % of the samples, 10.0 % of its own");
		graph.sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
		assertThat(told()).startsWith("reactor.core.Mono.subscribe: ");
		graph.sendKeys(Keys.ENTER);
		assertThat(frames()).startsWith("io.netty.EventLoop.run 500 0 300").hasSize(4);
		graph.sendKeys(Keys.ARROW_UP);
		assertThat(frames()).startsWith("event loops 0 0 900");
		graph.sendKeys(Keys.ESCAPE);
		assertThat(frames()).startsWith("all threads 0 0 1000").hasSize(9);
	}

	@Test
	void whatIsFoundIsMarkedAndAddedUp() {
		WebElement search = in("flame", "//input[@type='search']");
		String whole = picture("flame");
		search.sendKeys("hashMAP");
		assertThat(in("flame", "//output[1]").getText()).isEqualTo("75.0 % of the samples");
		assertThat(picture("flame")).isNotEqualTo(whole);
		search.clear();
		// A frame below another one that is found, too, is part of it
		search.sendKeys("netty");
		assertThat(in("flame", "//output[1]").getText()).isEqualTo("90.0 % of the samples");
		in("flame", "//button[.='Reset']").click();
		assertThat(in("flame", "//output[1]").getText()).isEmpty();
		assertThat(picture("flame")).isEqualTo(whole);
	}

	@Test
	void theStacksOfAFlameGraphAreHandedOutAsCsv() throws IOException {
		in("flame", "//button[.='Data (CSV)']").click();
		Path file = directory.resolve("flame.csv");
		await().until(() -> Files.exists(file));
		assertThat(Files.readAllLines(file))
			.startsWith("variant,depth,frame,self,samples", "WebFlux,0,event loops,0,900")
			.contains("WebFlux,3,java.util.HashMap.get,250,250", "WebMVC,1,java.lang.Thread.run,10,10");
	}

	private static List<String> frames() {
		return ((List<?>) script("return chart('flame').getOption().series[0].data"
				+ ".map(({ name, value }) => [name, ...value.slice(0, 3)].join(' '))"))
			.stream()
			.map(String.class::cast)
			.toList();
	}

	private static String told() {
		return in("flame", "//output[@class='told']").getText();
	}

	/**
	 * Clicks the frame that has a sample at a level.
	 */
	private static void click(String chart, int sample, int level) {
		List<?> point = (List<?>) script("const { x, y } = document.querySelector('#chart-' + arguments[0] + ' canvas')"
				+ ".getBoundingClientRect(); const [left, top] = chart(arguments[0]).convertToPixel({ seriesIndex: 0 },"
				+ " [arguments[1], arguments[2] + 0.5]); return [Math.round(x + left), Math.round(y + top)]", chart,
				sample, level);
		new Actions(browser).moveToLocation(((Number) point.get(0)).intValue(), ((Number) point.get(1)).intValue())
			.click()
			.perform();
	}

	@Test
	void theFiguresUnderTheCursorAreShown() {
		assertThat(List.of("cpu", "percentiles", "rates", "series", "flame")).allSatisfy((id) -> {
			String before = picture(id);
			moveInto(id, 60);
			await().until(() -> picture(id), (picture) -> !picture.equals(before));
		});
	}

	@Test
	void theHandleBelowTheSecondsZoomsAllPlots() {
		WebElement plot = in("series", "//div[@role='img']");
		int left = 76 - plot.getSize().getWidth() / 2;
		int bottom = plot.getSize().getHeight() / 2 - 16;
		new Actions(browser).moveToElement(plot, left, bottom).clickAndHold().moveByOffset(300, 0).release().perform();
		await().untilAsserted(
				() -> assertThat(script("return chart('series').getModel().queryComponents({ mainType: 'xAxis' })"
						+ ".map((axis) => axis.axis.scale.getExtent()[0])"))
					.asInstanceOf(LIST)
					.hasSize(3)
					.allSatisfy((second) -> assertThat(((Number) second).doubleValue()).isBetween(5.0, 15.0)));
	}

	@Test
	void theDataOfAChartIsHandedOutAsCsv() throws IOException {
		in("figures", "//button[.='Data (CSV)']").click();
		Path file = directory.resolve("figures.csv");
		await().until(() -> Files.exists(file));
		assertThat(Files.readAllLines(file)).startsWith("row,variant,metric,unit,start,value")
			.contains("\"WebFlux, 16 conn.\",WebFlux,CPU per request,µs,2,440");
	}

	@Test
	void thePictureOfAChartIsHandedOut() throws IOException {
		in("figures", "//button[.='Picture (PNG)']").click();
		Path file = directory.resolve("figures.png");
		await().until(() -> Files.exists(file));
		try (InputStream in = Files.newInputStream(file)) {
			assertThat(hasColours(in)).isTrue();
		}
	}

	@Test
	void pageAndChartsFollowTheColourScheme() throws IOException {
		String colours = "return [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,"
				+ " ...[...document.querySelectorAll('.plot')].flatMap((plot) => {"
				+ " const option = echarts.getInstanceByDom(plot).getOption();"
				+ " return [option.textStyle.color, option.tooltip[0].backgroundColor]; })]";
		List<?> light = (List<?>) script(colours);
		String chart = picture("figures");
		screenshot("light");
		colourScheme("dark");
		await().untilAsserted(() -> assertThat(script(colours)).asInstanceOf(LIST)
			.hasSameSizeAs(light)
			.doesNotContainAnyElementsOf(light));
		assertThat(picture("figures")).isNotEqualTo(chart);
		screenshot("dark");
	}

	@Test
	void nothingOfAChartIsCutOff() {
		assertThat(List.of("ratios", "figures", "cpu", "percentiles", "rates", "series", "flame")).allSatisfy((id) -> {
			BufferedImage image = ImageIO.read(png(id));
			int[] left = image.getRGB(0, 0, 1, image.getHeight(), null, 0, 1);
			int[] right = image.getRGB(image.getWidth() - 1, 0, 1, image.getHeight(), null, 0, 1);
			assertThat(left).as("transparent").containsOnly(0).isEqualTo(right);
		});
	}

	@Test
	void aNarrowPageScrollsDownOnly() throws IOException {
		size(NARROW, HIGH);
		await().until(() -> script("return Math.max(...[...document.querySelectorAll('canvas')]"
				+ ".map((canvas) => canvas.getBoundingClientRect().right)) < document.documentElement.clientWidth"),
				Boolean.TRUE::equals);
		screenshot("narrow");
		openDetails();
		assertThat(script("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))
			.isEqualTo(0L);
	}

	@Test
	void allChartsArePrintedEvenThoseThatWereNotInSight() throws IOException {
		size(WIDE, 600);
		browser.get(page);
		assertThat(allChartsAreDrawn()).isFalse();
		byte[] pdf = Base64.getDecoder().decode(browser.print(new PrintOptions()).getContent());
		Files.write(SCREENSHOTS.resolve("print.pdf"), pdf);
		assertThat(new String(pdf, StandardCharsets.ISO_8859_1).split("/Type /Page\\b")).hasSizeGreaterThan(2);
		assertThat(allChartsAreDrawn()).isTrue();
	}

	@Test
	void withoutScriptAnswerAndTablesAreThere() {
		allowScripts(false);
		browser.get(page);
		assertThat(browser.findElement(By.className("answer")).getText()).contains("WebMVC, 16 conn. failed");
		assertThat(browser.findElement(By.tagName("table")).getText()).contains("WebFlux", "420 µs");
		assertThat(browser.findElement(By.tagName("noscript")).getText())
			.isEqualTo("The charts need JavaScript. Their figures are in the tables below.");
		assertThat(browser.findElements(By.tagName("figure"))).hasSize(7).noneMatch(WebElement::isDisplayed);
		assertThat(browser.findElement(By.tagName("main")).getDomProperty("textContent"))
			.contains("WebFlux: 1,000 samples in 20 s");
	}

	@Test
	void aPageThatSharesStyleAndScriptsWithOthersDrawsItsChartsToo() {
		Path page = Reports.publish(RESULTS, directory, directory.resolve("shared"));
		browser.get(page.toUri().toString());
		await().until(HtmlReportBrowserTests::allChartsAreDrawn);
		assertThat((Number) script("return document.querySelectorAll('.plot').length")).isNotEqualTo(0L);
		assertThat(page.toFile().length()).isLessThan(500_000);
		assertThat(page.resolveSibling("gateway.md")).isNotEmptyFile();
	}

	@Test
	void textOfTheRunIsNeverMarkup() throws IOException {
		browser.get(write(
				SampleResults.of(SampleResults.HOSTILE, Status.COMPLETE,
						SampleResults.good("webflux-c16", SampleResults.HOSTILE, 1),
						SampleResults.good("webmvc-c16", "</script><img src=x onerror=alert(1)>", 1)),
				directory.resolve("hostile")));
		await().until(HtmlReportBrowserTests::allChartsAreDrawn);
		openDetails();
		new Actions(browser).moveToElement(in("percentiles", "//canvas")).perform();
		// An alert would make this fail
		assertThat(browser.getTitle()).isEqualTo(SampleResults.HOSTILE);
		assertThat(browser.findElements(By.tagName("img"))).isEmpty();
		assertThat(browser.findElements(By.tagName("script"))).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void everybodyCanReadIt(String colourScheme) throws IOException {
		in("series", "//button[.='ok']").click();
		colourScheme(colourScheme);
		openDetails();
		try (InputStream axe = HtmlReportBrowserTests.class.getResourceAsStream("/axe.min.js")) {
			script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
		}
		assertThat(browser.executeAsyncScript(
				"axe.run({ resultTypes: ['violations'] }).then(({ violations }) => arguments[0](violations"
						+ ".filter(({ impact }) => impact === 'serious' || impact === 'critical')"
						+ ".map(({ help, nodes }) => help + nodes.map(({ html }) => '\\n' + html).join(''))))"))
			.asInstanceOf(LIST)
			.isEmpty();
	}

	/**
	 * Longer than by default, as a build tests two modules at a time.
	 */
	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofMinutes(1));
	}

	static boolean thereIsABrowserOrCi() {
		return System.getenv("CI") != null
				|| (executable("chromium").isPresent() && executable("chromedriver").isPresent());
	}

	private static Optional<File> executable(String name) {
		return Pattern.compile(File.pathSeparator)
			.splitAsStream(System.getenv("PATH"))
			.map((folder) -> new File(folder, name))
			.filter(File::canExecute)
			.findFirst();
	}

	private static String write(RunResults results, Path to) throws IOException {
		SampleProfiles.write(to, SampleProfiles.WEBFLUX, SampleProfiles.WEBMVC);
		return Reports.write(results, to).toUri().toString();
	}

	private static boolean allChartsAreDrawn() {
		return (Boolean) script(
				"return [...document.querySelectorAll('.plot')].every((plot) => echarts.getInstanceByDom(plot))");
	}

	private static void openDetails() {
		script("document.querySelectorAll('details').forEach((details) => details.open = true)");
	}

	private static void allowScripts(boolean allowed) {
		command("Emulation.setScriptExecutionDisabled", Map.of("value", !allowed));
	}

	private static void colourScheme(String scheme) {
		command("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	private static void size(int width, int height) {
		command("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	private static void command(String name, Map<String, Object> parameters) {
		browser.executeCdpCommand(name, parameters);
	}

	private static void screenshot(String name) throws IOException {
		Number width = (Number) script("return innerWidth");
		Number height = (Number) script("return document.body.scrollHeight");
		size(width.intValue(), height.intValue());
		Files.write(SCREENSHOTS.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
	}

	private static WebElement in(String chart, String path) {
		return browser.findElement(By.xpath("//figure[@id='chart-" + chart + "']" + path));
	}

	private static List<Double> drawn(String chart, int axis) {
		return ((List<?>) script("return chart(arguments[0]).getOption().series.flatMap(({ data }) => data)"
				+ ".map((item) => item.value ?? item).map((item) => item[arguments[1]] ?? item)", chart, axis))
			.stream()
			.filter(Number.class::isInstance)
			.map((figure) -> ((Number) figure).doubleValue())
			.toList();
	}

	private static Object chosen(Chart chart, int column) {
		Object selected = selected(chart.id(), chart.columns().get(column));
		// There is nothing to choose from
		return (selected != null) ? selected : chart.rows().getFirst().get(column);
	}

	private static Object selected(String chart, String column) {
		return script(
				"return document.querySelector('#chart-' + arguments[0] + ' select[name=\"' + arguments[1] + '\"]')?.value",
				chart, column);
	}

	private static String picture(String chart) {
		return (String) script("return chart(arguments[0]).getDataURL()", chart);
	}

	private static InputStream png(String chart) {
		return new ByteArrayInputStream(
				Base64.getDecoder().decode(picture(chart).substring("data:image/png;base64,".length())));
	}

	/**
	 * Whether there is more in a picture than axes and names, which are grey.
	 */
	private static boolean hasColours(InputStream picture) throws IOException {
		BufferedImage image = ImageIO.read(picture);
		return IntStream.of(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
			.mapToObj(Color::new)
			.anyMatch((colour) -> Math.abs(colour.getRed() - colour.getBlue()) > 100);
	}

	private static Object script(String script, Object... arguments) {
		return browser.executeScript("const chart = (id) => echarts.getInstanceByDom("
				+ "document.querySelector('#chart-' + id + ' .plot')); " + script, arguments);
	}

	private static List<Integer> indexes(Chart chart, List<String> columns) {
		return columns.stream().map(chart.columns()::indexOf).toList();
	}

}
