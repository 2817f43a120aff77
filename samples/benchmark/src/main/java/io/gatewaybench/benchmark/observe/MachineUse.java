package io.gatewaybench.benchmark.observe;

/**
 * What the machine did during a measurement, as parts of all its cores' time.
 *
 * @param seconds how long it was looked at
 * @param busy what programs and interrupts had, 0 to 1
 * @param steal what the hypervisor gave to other machines, 0 to 1
 * @param foreign what programs had that are no part of the run, 0 to 1
 * @param pressure the part of the time in which a thread waited for a core, 0 to 1
 */
public record MachineUse(double seconds, double busy, double steal, double foreign, double pressure) {

	/**
	 * Both together, where this came first.
	 * @param next what came later
	 * @return the parts of all the time
	 */
	public MachineUse then(MachineUse next) {
		double all = this.seconds + next.seconds;
		double mine = this.seconds / all;
		double others = next.seconds / all;
		return new MachineUse(all, mine * this.busy + others * next.busy, mine * this.steal + others * next.steal,
				mine * this.foreign + others * next.foreign, mine * this.pressure + others * next.pressure);
	}

}
