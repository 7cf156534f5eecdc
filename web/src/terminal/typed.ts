/** The output of terminals, as far as this page has it, for the runs of netperf that a person typed. */
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { typedRuns, type TypedRun } from '@expresslane/shared/tools/netperf/typed'
import { useSyncExternalStore } from 'react'

/** The last output of each terminal that is looked at: a screen has 10,000 characters. */
const KEPT = 100_000

interface Heard {
  readonly testbed: TestbedId
  text: string
}

interface TypedStore {
  /** A terminal's output begins, again after a loss. @returns takes its next output */
  begin(testbed: TestbedId, terminal: string): (bytes: Uint8Array) => void
  /** @returns the same array as long as it is the same */
  runs(testbed: TestbedId): readonly TypedRun[]
  subscribe(listener: () => void): () => void
}

const none: readonly TypedRun[] = []

function createTypedStore(): TypedStore {
  const heard = new Map<string, Heard>()
  const found = new Map<TestbedId, readonly TypedRun[]>()
  const listeners = new Set<() => void>()

  function look(testbed: TestbedId): void {
    const runs = [...heard.values()].filter((one) => one.testbed === testbed).flatMap(({ text }) => typedRuns(text))
    if (JSON.stringify(runs) === JSON.stringify(found.get(testbed) ?? none)) return
    found.set(testbed, runs)
    for (const listener of listeners) listener()
  }

  return {
    begin(testbed, terminal) {
      const own: Heard = { testbed, text: '' }
      heard.set(terminal, own)
      const decoder = new TextDecoder()
      return (bytes) => {
        own.text = (own.text + decoder.decode(bytes, { stream: true })).slice(-KEPT)
        // A result ends with the next prompt.
        if (own.text.includes('netperf')) look(testbed)
      }
    },
    runs: (testbed) => found.get(testbed) ?? none,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const typedHere = createTypedStore()

/** The runs of netperf that were typed on a testbed, in the terminals that this page shows or has shown. */
export function useTypedRuns(testbed: TestbedId): readonly TypedRun[] {
  return useSyncExternalStore(typedHere.subscribe, () => typedHere.runs(testbed))
}
