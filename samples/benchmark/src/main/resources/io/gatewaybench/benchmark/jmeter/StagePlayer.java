import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.apache.jmeter.JMeter;
import org.apache.jmeter.engine.RemoteJMeterEngine;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.rmi.RmiUtils;
import org.apache.jmeter.samplers.RemoteListenerWrapper;
import org.apache.jmeter.samplers.RemoteSampleListenerImpl;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jorphan.collections.HashTree;

/**
 * Runs in JMeter's own JVM and plays stage after stage, there or on agents. Java starts it
 * from this source, so that nobody needs JMeter to build the runner. An instance is one
 * who sends, and collects its samples.
 * <p>
 * A line on standard input is a stage: its test plan, the file for its samples, and how
 * many requests it has, or 0 where that is not known. The end of standard input ends
 * everything. A line on standard output tells what happened to whom: {@code started} with
 * the time, {@code heard} where samples came, {@code ended}, {@code refused} with the
 * reason.
 */
public final class StagePlayer extends ResultCollector {

	private static final PrintStream LINES = System.out;

	private static final long HEARD_MILLIS = 500;

	private static final long PAUSE_MILLIS = 20;

	private static final int MOST_PAUSES = 500;

	private static final long BUSY_NANOS = 3_000_000_000L;

	private static volatile PrintWriter samples = new PrintWriter(Writer.nullWriter());

	private final String sender;

	private final AtomicLong left = new AtomicLong();

	// null where this JVM sends
	private volatile RemoteJMeterEngine agent;

	// Made once, as each takes a port
	private volatile TestElement stub;

	private volatile StandardJMeterEngine own;

	private volatile long told;

	private volatile boolean sends;

	private StagePlayer(String sender) {
		this.sender = sender;
	}

	/**
	 * Plays until the end of standard input.
	 * @param arguments first the agents with commas between them, or a name without a
	 * port for this JVM. Then the command line of a JMeter that tells its version and does
	 * no more, as that reads JMeter's settings
	 */
	public static void main(String[] arguments) throws InterruptedException {
		// JMeter prints to standard output, too
		System.setOut(System.err);
		new JMeter().start(Arrays.copyOfRange(arguments, 1, arguments.length));
		List<StagePlayer> all = Stream.of(arguments[0].split(",")).map(StagePlayer::new).toList();
		try {
			BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				String[] stage = line.split("\t");
				samples.close();
				samples = new PrintWriter(stage[1], StandardCharsets.UTF_8);
				for (StagePlayer each : all) {
					each.play(SaveService.loadTree(new File(stage[0])), Long.parseLong(stage[2]));
				}
			}
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
		all.stream().filter((each) -> each.sends).forEach(StagePlayer::stop);
		for (int pauses = 0; pauses < MOST_PAUSES && all.stream().anyMatch((each) -> each.sends); pauses++) {
			Thread.sleep(PAUSE_MILLIS);
		}
		samples.close();
		// Threads of JMeter would go on
		System.exit(0);
	}

	private void say(String what, Object more) {
		LINES.println(what + "\t" + this.sender + "\t" + more);
		LINES.flush();
	}

	private void play(HashTree test, long requests) throws Exception {
		this.left.set(requests);
		try {
			if (this.sender.contains(":")) {
				playOnAgent(test);
			}
			else {
				playHere(test);
			}
		}
		catch (Exception ex) {
			say("refused", ex.toString().replaceAll("\\s+", " "));
			throw ex;
		}
	}

	private void playHere(HashTree test) {
		test.add(test.getArray()[0], this);
		StandardJMeterEngine engine = new StandardJMeterEngine();
		engine.configure(test);
		this.own = engine;
		started();
		new Thread(() -> {
			engine.run();
			ended();
		}).start();
	}

	private void playOnAgent(HashTree test) throws Exception {
		if (this.agent == null) {
			int colon = this.sender.lastIndexOf(':');
			this.agent = (RemoteJMeterEngine) LocateRegistry
				.getRegistry(this.sender.substring(0, colon), Integer.parseInt(this.sender.substring(colon + 1)),
						RmiUtils.createClientSocketFactory())
				.lookup("JMeterEngine");
			this.stub = new RemoteListenerWrapper(new RemoteSampleListenerImpl(this));
		}
		test.add(test.getArray()[0], this.stub);
		long begin = System.nanoTime();
		while (!this.sends) {
			try {
				this.agent.rconfigure(test, this.sender, new File("."), null);
				started();
			}
			catch (IllegalStateException ex) {
				// It told of the end of a test a moment before it takes the next one
				if (System.nanoTime() - begin > BUSY_NANOS) {
					throw ex;
				}
				Thread.sleep(PAUSE_MILLIS);
			}
		}
		this.agent.rrunTest();
	}

	private void started() {
		this.sends = true;
		say("started", System.currentTimeMillis());
	}

	private void ended() {
		samples.flush();
		this.sends = false;
		say("ended", "");
	}

	private void stop() {
		try {
			if (this.agent != null) {
				this.agent.rstopTest(true);
			}
			else {
				this.own.stopTest(true);
			}
		}
		catch (RemoteException | RuntimeException ex) {
			// It is gone or stands still, so its end is not waited for
			this.sends = false;
		}
	}

	@Override
	public void sampleOccurred(SampleEvent event) {
		SampleResult sample = event.getResult();
		long now = System.currentTimeMillis();
		// The clock of this JVM differs from itself by rounding only
		long arrived = (this.agent != null) ? now : sample.getEndTime();
		samples.print(this.sender + "\t" + sample.getStartTime() + "\t" + sample.getTime() + "\t"
				+ sample.getConnectTime() + "\t" + sample.getSampleLabel() + "\t" + sample.getResponseCode() + "\t"
				+ sample.isSuccessful() + "\t" + arrived + "\n");
		if (now - this.told >= HEARD_MILLIS) {
			this.told = now;
			say("heard", "");
		}
		// After the last response of the open model JMeter would wait for its time-out
		if (this.left.decrementAndGet() == 0) {
			stop();
		}
	}

	@Override
	public void testEnded(String host) {
		ended();
	}

	@Override
	public void testEnded() {
		// Where this JVM sends, the engine has something left to do
	}

}
