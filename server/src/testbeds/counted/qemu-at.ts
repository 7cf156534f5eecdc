/** QEMU in a place that an agent speaks for, such as a pod: the agent carries the machine's port on QEMU's own streams. */
import { once } from 'node:events'
import { LabError } from '@expresslane/shared/base/errors'
import type { ChannelEnd } from '../agent/agent.ts'
import type { Place } from '../agent/place.ts'
import { answered } from '../agent/processes.ts'
import { streamOf } from '../agent/stream.ts'
import { QEMU, qemuArgv } from './qemu-argv.ts'
import { WORDS_KEPT, type Qemu, type StartQemu } from './qemu.ts'

/** The console goes to QEMU's errors. */
const console = ['-chardev', 'file,id=console,path=/dev/stderr', '-serial', 'chardev:console']

function notStarted(place: Place, detail: string): LabError {
  return new LabError('tool_missing', `QEMU could not be started in ${place.name}.`, 'Use an image that has it.', {
    detail,
  })
}

function reasonOf({ aborted, reason }: AbortSignal): Error | null {
  return aborted && reason instanceof Error ? reason : null
}

const detailOf = (end: ChannelEnd): string => ('error' in end ? end.error : end.type)

/** @param place opens it, or finds it open; it stays open when QEMU ends */
export function startQemuAt(place: (signal: AbortSignal) => Promise<Place>): StartQemu {
  return async ({ vmlinux, initrd }, _surroundings, signal): Promise<Qemu> => {
    const at = await place(signal)
    let printed = ''
    const port = streamOf((bytes) => child.write(bytes))
    const child = await at.start({
      argv: qemuArgv({ agent: 'stdio,signal=off', more: console, vmlinux, initrd }),
      env: { PATH: at.toolPath, LC_ALL: 'C' },
      input: true,
      namespace: null,
      onOutput(stream, bytes) {
        if (stream === 'stdout') port.push(bytes)
        else printed = `${printed}${bytes.toString('utf8')}`.slice(-WORDS_KEPT)
      },
    })
    if (!(await answered(at, child.started))) throw notStarted(at, detailOf(await child.closed))
    const untilEnded = async (): Promise<void> => {
      const { type } = await child.closed
      port.destroy()
      // The place knows why.
      if (type === 'lost' && !at.gone.aborted) await once(at.gone, 'abort')
    }
    return {
      pid: null,
      agent: port,
      control: { stop: () => child.signal('SIGSTOP'), go: () => child.signal('SIGCONT') },
      version: versionAt(at),
      profiler: null,
      words: () => printed,
      ended: untilEnded(),
      reason: () => reasonOf(at.gone),
      goOn: () => child.signal('SIGCONT'),
      kill: () => child.signal('SIGKILL'),
    }
  }
}

/** As QEMU itself prints it: `QEMU emulator version 10.0.13 (Debian ...)`. Never rejects. */
async function versionAt(place: Place): Promise<string> {
  let printed = ''
  const asked = await place.start({
    argv: [QEMU, '--version'],
    env: { PATH: place.toolPath },
    input: false,
    namespace: null,
    onOutput: (_stream, bytes) => void (printed += bytes.toString('utf8')),
  })
  await asked.closed
  return /version (\d+(?:\.\d+)+)/.exec(printed)?.[1] ?? 'unknown'
}
