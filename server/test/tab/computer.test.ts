/** The sessions of a tab on the emulated computer, in Node: the same code that a browser's worker runs. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { medianOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { takenIn } from '@expresslane/shared/run/run-state'
import { thisTab } from '@expresslane/shared/testbed/id'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { pair } from '../../src/features/big-tcp/topology.ts'
import { liveFactory } from '../../src/runs/perform/perform.ts'
import { createTabSessions } from '../../src/tab/sessions.ts'
import { startEmulator } from '../../src/testbeds/emulated/emulator.ts'
import { createEmulatedMachine } from '../../src/testbeds/emulated/machine.ts'
import { createNetnsTestbed } from '../../src/testbeds/netns/index.ts'
import { labs } from '../support/runs/labs.ts'

const builder = fileURLToPath(new URL('../../../scripts/machine/main.mjs', import.meta.url))
const folder = execFileSync(process.execPath, [builder, 'where'], { encoding: 'utf8' }).trim()
const about = z.object({ clockMs: z.number(), memoryMb: z.number(), said: z.base64() })
/** Two equal arms differ by less: medians of eight repeats differ by 0.1 % from run to run. */
const FLOOR = 0.005

test.skipIf(folder === '')(
  'two measurements of the same arm do not differ, on a computer of its own',
  async () => {
    const buffer = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(folder, name))).buffer
    const { clockMs, memoryMb, said } = about.parse(JSON.parse(readFileSync(join(folder, 'machine.json'), 'utf8')))
    const files = { wasm: buffer('v86.wasm'), bios: buffer('bios.bin') }
    const start = { state: buffer('state.zst'), said: Buffer.from(said, 'base64') }
    const machine = createEmulatedMachine({
      start: () => startEmulator({ files, start, clockMs, memoryMb }),
      madeOf: {},
    })
    const testbed = await liveFactory({
      contexts: () => [],
      needsChoice: false,
      asked: () => null,
      make: () => createNetnsTestbed({ topology: pair, machine }),
    }).make(null, thisTab)
    onTestFinished(() => testbed.close())
    let ended = Promise.withResolvers<void>()
    const measuring = new Set<string>()
    const report = (events: readonly LoggedEvent[]): void => {
      for (const { runId, event } of events) {
        if (event.type === 'run.started' && event.stepId === 'baseline') measuring.add(runId)
        if (event.type === 'run.ended' && (measuring.has(runId) || event.state !== 'completed')) ended.resolve()
      }
    }
    const sessions = createTabSessions({ labs, testbed, id: thisTab, now: () => Date.now(), report })
    const { session } = await sessions.begin('big-tcp-ipv4')
    const measured = async (solve: boolean): Promise<readonly Measurement[]> => {
      ended = Promise.withResolvers()
      await sessions.start(session.id, { stepId: 'baseline', params: { repeats: 8 }, solve })
      await ended.promise
      const run = (await sessions.view(session.id)).runs.findLast(({ stepId }) => stepId === 'baseline')
      expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
      return run === undefined ? [] : takenIn(run)
    }
    const [first, second] = [await measured(true), await measured(false)]
    expect(first).toHaveLength(8)
    const [one, other] = [first, second].map((all) => medianOf(all, 'countedTps') ?? Number.NaN) as [number, number]
    const ratio = other / one
    expect(Math.abs(ratio - 1)).toBeLessThan(FLOOR)
  },
  300_000,
)
