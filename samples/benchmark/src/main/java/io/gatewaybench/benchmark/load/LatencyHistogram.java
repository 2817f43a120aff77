package io.gatewaybench.benchmark.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * A latency histogram as it is stored: values in nanoseconds from 1 µs to 120 s with 3
 * significant digits.
 *
 * @param summary the usual figures
 * @param hdr the histogram itself, base64 of HdrHistogram's compressed V2 form
 */
public record LatencyHistogram(LatencySummary summary, String hdr) {

	private static final long LOWEST_NANOS = 1_000;

	/**
	 * The highest value, in nanoseconds.
	 */
	public static final long HIGHEST_NANOS = Timeouts.LONGEST.toNanos();

	/**
	 * Stores a histogram.
	 * @param histogram values in nanoseconds
	 * @return the stored form
	 */
	public static LatencyHistogram of(Histogram histogram) {
		ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
		int length = histogram.encodeIntoCompressedByteBuffer(buffer);
		byte[] bytes = Arrays.copyOf(buffer.array(), length);
		return new LatencyHistogram(LatencySummary.of(histogram), Base64.getEncoder().encodeToString(bytes));
	}

	/**
	 * No values.
	 * @return the stored form of an empty histogram
	 */
	public static LatencyHistogram empty() {
		return of(newHistogram());
	}

	/**
	 * Adds histograms sample by sample, which is the only right way to combine
	 * percentiles.
	 * @param histograms the parts
	 * @return one with the samples of all
	 */
	public static LatencyHistogram merge(List<LatencyHistogram> histograms) {
		Histogram sum = newHistogram();
		histograms.forEach((each) -> sum.add(each.histogram()));
		return of(sum);
	}

	/**
	 * Takes samples out again.
	 * @param part some of the samples
	 * @return one with the others
	 */
	LatencyHistogram without(LatencyHistogram part) {
		Histogram rest = histogram();
		rest.subtract(part.histogram());
		return of(rest);
	}

	/**
	 * The histogram itself.
	 * @return a new histogram with values in nanoseconds
	 * @throws IllegalStateException if {@link #hdr()} was not made by {@link #of}
	 */
	public Histogram histogram() {
		try {
			return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(this.hdr)), 0);
		}
		catch (DataFormatException | IllegalArgumentException ex) {
			throw new IllegalStateException("'hdr' is not a compressed histogram; the file is damaged", ex);
		}
	}

	/**
	 * A histogram to be filled.
	 * @return an empty histogram for values in nanoseconds
	 */
	public static Histogram newHistogram() {
		return new Histogram(LOWEST_NANOS, HIGHEST_NANOS, 3);
	}

}
