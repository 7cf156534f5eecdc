/** Processes of a place, and the time that its answers may take. */
import { LabError } from '@expresslane/shared/base/errors'
import type { ProcessEnd, ProcessStart, RunningProcess } from '../machine/machine.ts'
import { apart, shell, shellEnv, type Terminal, type TerminalStart } from '../terminal.ts'
import type { AgentProcess, ChannelEnd, Stream } from './agent.ts'
import type { Place } from './place.ts'

/** Why a process does not run: the machine refused it, or has ended. */
async function startError(place: Place, { argv, namespace }: ProcessStart, end: ChannelEnd): Promise<unknown> {
  if (end.type !== 'failed') {
    await place.close()
    return place.gone.reason
  }
  const where = namespace === undefined ? '' : ` in ${namespace}`
  const remedy = `Check that the machine has ${namespace === undefined ? 'it' : 'both'}.`
  return new LabError('tool_failed', `${argv[0] ?? ''} could not be started${where}.`, remedy, { detail: end.error })
}

function endOf(end: ChannelEnd): ProcessEnd {
  if (end.type === 'exited') return { code: end.code, signal: end.signal }
  // The process ended with the machine, as by `kill -9`.
  return { code: null, signal: 'SIGKILL' }
}

/** Splits UTF-8 bytes into lines, which end with LF or CR LF; a last line without an end counts. */
function lines(onLine: (text: string) => void): { add(bytes: Uint8Array): void; end(): void } {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let kept = ''
  const pass = (text: string): void => {
    const all = (kept + text).split('\n')
    kept = all.pop() ?? ''
    for (const line of all) onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }
  return {
    add: (bytes) => pass(decoder.decode(bytes, { stream: true })),
    end() {
      pass(decoder.decode())
      if (kept !== '') onLine(kept)
    },
  }
}

/**
 * A machine answers within milliseconds of its own time, unless its kernel has the only CPU for itself: to load thousands
 * of rules takes it a minute of the host's time, and more where the host is busy.
 */
const ANSWER_MS = 300_000

/** Waits for an answer that a machine gives at once. A machine that does not answer is ended. */
export async function answered<T>(place: Place, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => void place.close(), ANSWER_MS)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

/** Where `ip netns` has named namespaces. */
const fileOf = (namespace: string): string => `/run/netns/${namespace}`

/**
 * Starts a process in a place, which does not pause until it has ended, or is ready.
 *
 * @throws LabError `tool_failed`; `gone.reason` of a machine that has ended
 */
export async function startIn(place: Place, start: ProcessStart): Promise<RunningProcess> {
  const { argv, input, ready, onLine } = start
  const namespace = start.namespace === undefined ? null : fileOf(start.namespace)
  const release = place.busy()
  const outputs = {
    stdout: lines((text) => onLine('stdout', text)),
    stderr: lines((text) => onLine('stderr', text)),
  }
  const onOutput = (stream: Stream, bytes: Buffer): void => outputs[stream].add(bytes)
  let child: AgentProcess
  try {
    child = await place.start({
      argv,
      env: { PATH: place.toolPath, LC_ALL: 'C' },
      input: input !== undefined,
      namespace,
      onOutput,
    })
    if (!(await answered(place, child.started))) throw await startError(place, start, await child.closed)
  } catch (error) {
    release()
    if (!(error instanceof RangeError)) throw error
    throw new LabError('tool_failed', `A command is too long for ${place.name}.`, 'Report it.', { cause: error })
  }
  if (input !== undefined) {
    void child.write(Buffer.from(input, 'utf8')).then(child.endInput)
  }
  void ready?.then(release, () => {})
  const closed = child.closed.then((end) => {
    for (const output of Object.values(outputs)) output.end()
    release()
    return endOf(end)
  })
  return {
    closed,
    async end() {
      const ended = place.busy()
      // As for processes of this machine: a stopped process would not end.
      place.goOn()
      child.end()
      await answered(place, closed)
      ended()
    },
  }
}

/** A machine that may stand still runs so long after the last key or output of a terminal: a command can print late. */
const AWAKE_MS = 10_000

/** Keeps a place running while it is called now and then. */
function createStir(place: Place): { stir(): void; rest(): void } {
  let release: (() => void) | null = null
  let timer: NodeJS.Timeout | undefined
  function rest(): void {
    clearTimeout(timer)
    release?.()
    release = null
  }
  return {
    stir() {
      clearTimeout(timer)
      release ??= place.busy()
      timer = setTimeout(rest, AWAKE_MS)
    },
    rest,
  }
}

/**
 * Opens a terminal with a shell.
 *
 * @throws LabError `tool_failed`; `gone.reason` of a machine that has ended
 */
export async function terminalIn(place: Place, { namespace, size, onOutput }: TerminalStart): Promise<Terminal> {
  const { stir, rest } = createStir(place)
  // A slow emulator can take longer to start it than a terminal stays awake.
  const starting = place.busy()
  const env = shellEnv(namespace, place.toolPath)
  const argv = (place.confine ?? apart)(shell, env)
  const child = await place.start({
    argv,
    env,
    input: size,
    namespace: fileOf(namespace),
    onOutput(_, bytes) {
      stir()
      return onOutput(bytes)
    },
  })
  const isStarted = await answered(place, child.started)
  stir()
  starting()
  if (!isStarted) {
    rest()
    throw await startError(place, { argv, namespace, onLine: () => {} }, await child.closed)
  }
  const closed = child.closed.then(async (end) => {
    rest()
    if (end.type !== 'lost') return endOf(end)
    await place.close()
    const reason: unknown = place.gone.reason
    return { ...endOf(end), ...(reason instanceof Error && { why: reason.message }) }
  })
  let typed = Promise.resolve()
  return {
    closed,
    write(bytes) {
      stir()
      // One after the other: a write can have to wait for the program in the middle of its bytes.
      typed = typed.then(() => child.write(bytes))
      return typed
    },
    resize(next) {
      stir()
      child.resize(next)
    },
    async end() {
      const ended = place.busy()
      place.goOn()
      child.end()
      await answered(place, closed)
      ended()
    },
  }
}
