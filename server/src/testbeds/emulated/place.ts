/** The emulated computer as a place: an emulator in this program, and the agent in the computer. */
import { LabError } from '@expresslane/shared/base/errors'
import { createAgent, type Connection } from '../agent/agent.ts'
import { createPause } from '../agent/pause.ts'
import type { Place } from '../agent/place.ts'
import type { Emulator } from './emulator.ts'

/** In sentences. */
export const NAME = 'the emulated computer'
/** Every program is in one folder. */
export const TOOL_PATH = '/usr/bin'

/** Bash would be half a megabyte to download, and the kernel has no namespaces of processes. */
export const terminalShell = ['env', 'ENV=/etc/terminal', 'busybox', 'ash', '-i']

function goneError(): LabError {
  return new LabError(
    'testbed_gone',
    'The emulated computer has ended.',
    'Press Solve: it runs the steps up to this one again.',
  )
}

/** The line to the agent in the computer. It ends with the computer. */
export function connectionTo(
  emulator: Pick<Emulator, 'send' | 'onBytes'>,
  gone: AbortSignal | null = null,
): Connection {
  return {
    write: (bytes) => emulator.send(bytes),
    onBytes: (listener) => emulator.onBytes(listener),
    onEnd: (listener) => gone?.addEventListener('abort', listener, { once: true }),
    destroy() {},
  }
}

/**
 * Restores the computer, whose agent answers at once: it greeted before the state was saved.
 *
 * @throws the errors of `start`; `signal.reason`
 */
export async function openPlace(start: () => Promise<Emulator>, signal: AbortSignal): Promise<Place> {
  const emulator = await start()
  const gone = new AbortController()
  const pause = createPause(emulator)
  const agent = createAgent(connectionTo(emulator, gone.signal), () => {})
  async function close(): Promise<void> {
    if (gone.signal.aborted) return
    pause.close()
    gone.abort(goneError())
    await emulator.close()
  }
  if (signal.aborted) await close()
  signal.throwIfAborted()
  emulator.go()
  // It stands still again soon after.
  pause.busy()()
  return {
    ...agent,
    name: NAME,
    toolPath: TOOL_PATH,
    confine: () => terminalShell,
    busy: () => pause.busy(),
    goOn: () => {},
    gone: gone.signal,
    close,
  }
}
