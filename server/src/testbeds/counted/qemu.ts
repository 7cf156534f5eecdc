/** QEMU's command line, and the process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import { LabError } from '@expresslane/shared/base/errors'
import { INSTALL, PACK, type Prepared } from './prepared.ts'

export const QEMU = 'qemu-system-x86_64'

/** The descriptors that QEMU starts with, besides the three that every process has. */
const descriptors = { agent: 3, control: 4, profiler: 5, vmlinux: 6, initrd: 7, plugin: 8 } as const

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
 * A machine with one CPU whose clock counts its instructions; idle time passes at once. It has no network, no disk, and
 * no socket that others could reach: QEMU inherits all that it uses. Somebody who got out of the machine would find a
 * process that starts no other process, gains no rights, and changes no priorities (`-sandbox`: such system calls end
 * it).
 */
/**
 * Without `erms` and `fsrm` the kernel copies and clears eight bytes with an instruction. With them it would leave that to one
 * instruction, which QEMU counts for each byte: three quarters of all that is counted.
 */
export const PROCESSOR = 'max,erms=off,fsrm=off'

const qemuArgv: readonly string[] = [
  // When the server ends, for any reason, the kernel ends QEMU.
  `setpriv --pdeathsig KILL ${QEMU}`,
  `-nodefaults -no-user-config -no-reboot -display none -machine q35 -cpu ${PROCESSOR} -smp 1 -m 512`,
  `-accel tcg,tb-size=128 -icount shift=${CLOCK_SHIFT},sleep=off`,
  '-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
  // The same at each boot.
  '-rtc base=2026-01-01,clock=vm',
  '-serial stdio',
  `-chardev socket,id=agent,fd=${descriptors.agent} -device virtio-serial-pci`,
  '-device virtserialport,chardev=agent,name=agent',
  `-chardev socket,id=control,fd=${descriptors.control} -mon chardev=control,mode=control`,
  // By descriptor: the testbed's user may not be able to enter the folders.
  `-kernel /dev/fd/${descriptors.vmlinux} -initrd /dev/fd/${descriptors.initrd}`,
]
  .flatMap((options) => options.split(' '))
  .concat('-append', kernelParameters)
const pluginArgv = ['-plugin', `file=/dev/fd/${descriptors.plugin},fd=${descriptors.profiler}`]

/** The profiler's plugin. */
const profilerFile = fileURLToPath(new URL('../../../native/bin/profiler-x64.so', import.meta.url))

/** The last of what QEMU and the machine's console print is kept, for errors. */
const WORDS_KEPT = 4000

export interface Qemu {
  /** Its process. */
  readonly pid: number
  readonly agent: Duplex
  /** QEMU's own protocol (QMP). */
  readonly control: Duplex
  /** The profiler, which QEMU has loaded; null without it. */
  readonly profiler: Duplex | null
  /** The last words of QEMU and of the machine's console. */
  words(): string
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>
  /** Lets it go on after SIGSTOP: while it is stopped, it answers nothing. */
  goOn(): void
  kill(): void
}

export interface QemuSurroundings {
  readonly env: Readonly<Record<string, string>>
  /** QEMU loads the profiler; a QEMU that is built without plugins then ends at once. @defaultValue false */
  readonly profiles?: boolean
  /** Who it runs as; null for the server's own user. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

async function isIn(folder: string): Promise<boolean> {
  try {
    await access(join(folder, QEMU), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param path the folders where programs are looked for */
export async function hasQemu(path: string): Promise<boolean> {
  return (await Promise.all(path.split(delimiter).map(isIn))).includes(true)
}

function missingError(detail: string, cause?: unknown): LabError {
  return new LabError('tool_missing', 'QEMU could not be started.', 'Install qemu-system-x86, then try again.', {
    remedyCommand: INSTALL,
    detail,
    cause,
  })
}

/** @throws LabError `tool_missing`, `testbed_unavailable` if its files are gone */
export async function startQemu(prepared: Prepared, { env, user, profiles = false }: QemuSurroundings): Promise<Qemu> {
  const folders = env['PATH'] ?? ''
  // setpriv, which starts it, would only end.
  if (!(await hasQemu(folders))) throw missingError(`${QEMU} is not in ${folders}`)
  const files = await Promise.all(
    [prepared.vmlinux, prepared.initrd, profilerFile].map((path) => open(path, 'r')),
  ).catch((cause: unknown) => {
    throw new LabError('testbed_unavailable', "The counted machine's files are gone.", 'Prepare it again.', {
      remedyCommand: PACK,
      cause,
    })
  })
  const [program = '', ...args] = profiles ? [...qemuArgv, ...pluginArgv] : qemuArgv
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...files.map((file) => file.fd)] as const
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  const child = spawn(program, args, { env: { ...env }, cwd: '/', stdio: [...stdio], ...ids })
  const ended = Promise.withResolvers<void>()
  child.once('close', () => ended.resolve())
  // At once: output that nobody listens to when QEMU ends is dropped.
  let printed = ''
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString('utf8')}`.slice(-WORDS_KEPT)
    })
  }
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw missingError(error instanceof Error ? error.message : String(error), error)
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
  const [agent, control, profiler] = [descriptors.agent, descriptors.control, descriptors.profiler].map(
    (fd): unknown => child.stdio[fd as 3],
  )
  const isOpen = (one: unknown): one is Duplex => one instanceof Duplex
  if (!isOpen(agent) || !isOpen(control) || !isOpen(profiler) || child.pid === undefined) {
    throw new Error('QEMU has no pipes')
  }
  // It ends with QEMU, which may have ended by now.
  profiler.on('error', () => {})
  return {
    pid: child.pid,
    agent,
    control,
    profiler: profiles ? profiler : null,
    words: () => printed,
    ended: ended.promise,
    goOn: () => void child.kill('SIGCONT'),
    kill: () => void child.kill('SIGKILL'),
  }
}
