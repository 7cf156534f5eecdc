/** QEMU's command line for the counted machine. Pure. */
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'

export const QEMU = 'qemu-system-x86_64'

const DAY_MS = 86_400_000
const neighbours = ['ipv4', 'ipv6']
  .map((family) => `sysctl.net.${family}.neigh.default`)
  .flatMap((of) => [`${of}.base_reachable_time_ms=${DAY_MS}`, `${of}.delay_first_probe_time=0`])

/**
 * The kernel's parameters: quiet, no delays by checks that nothing here needs, and an end instead of a halt.
 *
 * - `tsc=reliable`: virtual time counts instructions, so there is nothing to compare the clock with.
 * - `norandmaps`: QEMU translates code again at each new address, so a program that always has the same addresses starts
 *   in a third of the CPU time.
 * - `tcp_cubic.hystart=0`: TCP's slow start lasts until a loss, as between neighbours elsewhere. HyStart ends it earlier
 *   where acknowledgements arrive for longer than half a millisecond. Between two pods that takes this machine's clock to
 *   happen, which is some fifty times slower. Such a connection keeps a window of less than two messages, and sends each
 *   message in two packets.
 * - `base_reachable_time_ms`: else neighbours go stale inside a measurement, because idle time passes at once, and asking
 *   for them again is work that the measurement counts.
 * - `delay_first_probe_time=0`: a neighbour that is known from its own question is asked with the first packet to it, and not
 *   five seconds later. Until it answers, packets take a longer way: in some repeats that was 0.6 % of a request of one byte.
 * - `initcall_blacklist`: parts of the kernel that no lab uses and that take 15 % of the boot. They are the noise of the
 *   clock as a source of random numbers, the self-test of a key derivation, and the files of `tracefs`.
 */
const kernelParameters =
  'console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr tsc=reliable cryptomgr.notests' +
  ' random.trust_cpu=on audit=0 norandmaps tcp_cubic.hystart=0' +
  ' initcall_blacklist=jent_mod_init,crypto_kdf108_init,init_kprobe_trace,trace_eval_init' +
  ` ${neighbours.join(' ')}`

/**
 * An instruction takes 2 to the power of this in nanoseconds of the machine's clock: 3. A second of it is 125 million
 * instructions, which this machine runs in about half a second: tools that run for seconds then take as long as elsewhere.
 */
const CLOCK_SHIFT = Math.log2(1000 / COUNTED_CLOCK)

/**
 * Without `erms` and `fsrm` the kernel copies and clears eight bytes with an instruction. With them it would leave that to one
 * instruction, which QEMU counts for each byte: three quarters of all that is counted.
 */
export const PROCESSOR = 'max,erms=off,fsrm=off'

/** The ends of the machine's connections, and its files, as QEMU names them. */
export interface QemuEnds {
  /** The character device of the agent's port. */
  readonly agent: string
  /** More options: where the console goes, a monitor, a plugin. */
  readonly more: readonly string[]
  readonly vmlinux: string
  readonly initrd: string
}

/**
 * A machine with one CPU whose clock counts its instructions; idle time passes at once. It has no network, no disk, and
 * no socket that others could reach: QEMU inherits all that it uses. Somebody who got out of the machine would find a
 * process that starts no other process, gains no rights, and changes no priorities (`-sandbox`: such system calls end
 * it).
 */
export function qemuArgv({ agent, more, vmlinux, initrd }: QemuEnds): string[] {
  const options = [
    `-nodefaults -no-user-config -no-reboot -display none -machine q35 -cpu ${PROCESSOR} -smp 1 -m 512`,
    `-accel tcg,tb-size=128 -icount shift=${CLOCK_SHIFT},sleep=off`,
    '-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
    // The same at each boot.
    '-rtc base=2026-01-01,clock=vm',
    `-chardev ${agent},id=agent -device virtio-serial-pci -device virtserialport,chardev=agent,name=agent`,
  ].flatMap((words) => words.split(' '))
  return [QEMU, ...options, '-kernel', vmlinux, '-initrd', initrd, '-append', kernelParameters, ...more]
}
