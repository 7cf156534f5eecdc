/** The ways in which an API server breaks: most of them in a proxy before it, two of them itself. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Fault, FaultProxy } from './fault-proxy.ts'

const exec = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

export interface Way {
  readonly name: string
  /** The fault of the API server, for the table. */
  readonly words: string
  /** How long it lasts, in seconds; null: until the phase has ended. Requests wait for 10 s. */
  readonly lasts: readonly [least: number, most: number] | null
  /** Variables of the environment with the commands that do it. */
  readonly needs: readonly string[]
  /** Whether other parts of the cluster suffer too: then only the phases that change it are broken. */
  readonly hurts: boolean
  /** @param after how many requests still pass before it. @returns resolves when it is broken */
  begin(proxy: FaultProxy, after: number): Promise<void>
  heal(proxy: FaultProxy): Promise<void>
}

function inProxy(fault: Fault, words: string, lasts: Way['lasts']): Way {
  return {
    name: `api-${fault}`,
    words,
    lasts,
    needs: [],
    hurts: false,
    begin: (proxy, after) => proxy.arm(fault, after),
    heal: (proxy) => proxy.heal(),
  }
}

async function command(variable: string): Promise<void> {
  const [file = '', ...args] = (process.env[variable] ?? '').split(' ')
  await exec(file, args, { cwd: root })
}

function itself(name: string, words: string, begin: string, heal: string): Way {
  return {
    name,
    words,
    // Cilium's operator does not live through ten seconds of it.
    lasts: [2, 7],
    needs: [begin, heal],
    hurts: true,
    async begin(proxy, after) {
      await proxy.arm(null, after)
      await command(begin)
    },
    async heal(proxy) {
      await proxy.heal()
      await command(heal)
    },
  }
}

/** Faults in the proxy alone: the cluster itself does not suffer from them. */
export const proxied: readonly [Way, ...Way[]] = [
  inProxy('paused', 'paused', [2, 14]),
  inProxy('cut', 'cut', [1, 6]),
  inProxy('slow', 'slow (300 ms a call)', null),
  inProxy('429', 'answering 429', [1, 6]),
  inProxy('500', 'answering 500', [1, 6]),
  inProxy('garbage', 'answering garbage', [1, 6]),
]

export const ways: readonly Way[] = [
  ...proxied,
  itself('api-process-paused', 'stopped as a process', 'E2E_API_PAUSE', 'E2E_API_RESUME'),
  itself('api-port-cut', 'cut off on its machine', 'E2E_API_CUT', 'E2E_API_HEAL'),
]
