/** A booted counted machine: QEMU, and the agent in it. */
import { LabError } from '@expresslane/shared/base/errors'
import { createAgent } from '../agent/agent.ts'
import { PROTOCOL } from '../agent/frames.ts'
import { createPause } from '../agent/pause.ts'
import type { Place } from '../agent/place.ts'
import { connectionOf } from '../agent/stream.ts'
import { after, apart } from '../terminal.ts'
import { createProfiler, type Profiler } from './profiler.ts'
import { PACK, type Prepared } from './prepared.ts'
import { startQemu, type Qemu, type QemuSurroundings, type StartQemu } from './qemu.ts'

export interface Vm extends Place, Pick<Qemu, 'pid'> {
  readonly prepared: Prepared
  /** The machine's clock when the agent greeted, in ns since its kernel began. */
  readonly bootNs: bigint
  /** Since when nobody waits for it, by `performance.now()`; null while somebody does. */
  idleSince(): number | null
  /** QEMU's version, such as `7.2.22`. */
  readonly qemuVersion: Promise<string>
  /** Null if QEMU has not loaded it. */
  readonly profiler: Profiler | null
}

export interface VmOptions extends QemuSurroundings {
  /** @defaultValue on this machine */
  readonly start?: StartQemu
  /** How long the boot may take, in milliseconds of the host. */
  readonly bootMs: number
  /** After how long without use it ends, in milliseconds. */
  readonly unusedMs: number
}

/** All programs are in one folder (scripts/counted/contents.mjs). */
export const TOOL_PATH = '/usr/bin'

/**
 * The machine is a person's own, so these limits only keep an accident from it: processes by a control group, because root
 * has no limit of its own, and what is short goes to everything else first.
 */
const limited = after(`{
cd /sys/fs/cgroup
mkdir -p terminals
echo +pids >cgroup.subtree_control
echo 256 >terminals/pids.max
echo $$ >terminals/cgroup.procs
cd /
echo 1000 >/proc/self/oom_score_adj
echo 10 >/proc/self/autogroup
} 2>/dev/null`)

function goneError(words: string): LabError {
  return new LabError(
    'testbed_gone',
    'The counted machine ended while it was in use.',
    'If the lab has a Deploy step, run it again. Then run this step again.',
    { detail: words },
  )
}

function notBootedError(words: string): LabError {
  return new LabError(
    'testbed_unavailable',
    'The counted machine ended before it had booted.',
    'Read what it printed, then try again.',
    {
      detail: words,
    },
  )
}

function otherProtocolError(protocol: number): LabError {
  return new LabError(
    'testbed_unavailable',
    'The counted machine was prepared by another version of Expresslane.',
    'Prepare it again.',
    { remedyCommand: PACK, detail: `Its agent speaks protocol ${protocol}, the server ${PROTOCOL}.` },
  )
}

function slowError(ms: number, words: string): LabError {
  return new LabError(
    'deadline_exceeded',
    `The counted machine did not boot within ${ms / 1000} seconds.`,
    'Check the load of this machine, then try again.',
    { detail: words },
  )
}

/**
 * Boots a machine.
 *
 * @throws LabError `tool_missing`, `testbed_unavailable`, `testbed_gone`, `deadline_exceeded`; `signal.reason`. QEMU has
 *   ended by then
 */
export async function bootVm(prepared: Prepared, options: VmOptions, signal: AbortSignal): Promise<Vm> {
  signal.throwIfAborted()
  const { start = startQemu } = options
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(options.bootMs)])
  const qemu = await start(prepared, options, inTime)
  const gone = new AbortController()
  const pause = createPause(qemu.control, { long: { ms: options.unusedMs, call: qemu.kill } })
  const booted = pause.busy()
  const hello = Promise.withResolvers<{ readonly protocol: number; readonly clockNs: bigint }>()
  const agent = createAgent(connectionOf(qemu.agent), hello.resolve)
  // Without its connection the machine is of no use.
  qemu.agent.on('close', qemu.kill)
  const noteEnd = (): void => {
    pause.close()
    gone.abort(qemu.reason() ?? goneError(qemu.words()))
  }
  void qemu.ended.then(noteEnd)
  const close = async (): Promise<void> => {
    qemu.kill()
    await qemu.ended
  }
  const stop = AbortSignal.any([inTime, gone.signal])
  const give = (): void => hello.reject(stop.reason)
  stop.addEventListener('abort', give, { once: true })
  // While QEMU was started: then there is no event any more.
  if (stop.aborted) give()
  try {
    const { protocol, clockNs } = await hello.promise
    if (protocol !== PROTOCOL) throw otherProtocolError(protocol)
    booted()
    const { busy, idleSince } = pause
    return {
      ...agent,
      name: 'the counted machine',
      toolPath: TOOL_PATH,
      confine: (argv, env) => limited(apart(argv, env), env),
      prepared,
      pid: qemu.pid,
      goOn: qemu.goOn,
      bootNs: clockNs,
      busy,
      idleSince,
      qemuVersion: qemu.version,
      profiler: qemu.profiler === null ? null : createProfiler(qemu.profiler),
      gone: gone.signal,
      close,
    }
  } catch (error) {
    const [ended, slow] = [gone.signal.aborted, stop.aborted]
    await close()
    signal.throwIfAborted()
    if (ended) throw qemu.reason() ?? notBootedError(qemu.words())
    throw slow ? slowError(options.bootMs, qemu.words()) : error
  } finally {
    stop.removeEventListener('abort', give)
  }
}
