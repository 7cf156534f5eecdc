/** The context of a step's action, with a testbed of the test and without a session. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { epochMs } from '@expresslane/shared/base/units'
import { bench } from '../../../src/labs/bench.ts'
import type { StepTask } from '../../../src/runs/perform/perform.ts'
import type { StepContext } from '../../../src/runs/perform/step-context.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { bigTcp } from './settings.ts'

export interface NotedPerformance extends StepContext {
  readonly events: readonly RunEvent[]
}

export type NotedTask = StepTask & Pick<NotedPerformance, 'events'>

export function performanceOn(testbed: Testbed, ...rest: Parameters<typeof notedTask>): NotedPerformance {
  return { ...notedTask(...rest), testbed }
}

/** Without BIG TCP, or with it for both families. */
function armOf(id: string): ArmPlan {
  return { id, label: id, settings: bigTcp({ ipv4: id === 'on', ipv6: id === 'on' }) }
}

/** @param onEvent sees each event as it is emitted */
export function notedTask(
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: RunEvent) => void = () => {},
): NotedTask {
  const events: RunEvent[] = []
  const emit = (event: RunEvent): void => {
    events.push(event)
    onEvent(event)
  }
  return {
    lab: { ...bench, arms: ['off', 'on'].map(armOf) },
    step: null,
    params: {},
    earlier: () => [],
    snapshot: { read: () => Promise.resolve(null), keep: () => Promise.resolve(), clear: () => Promise.resolve() },
    solve: null,
    signal,
    now: () => epochMs.parse(Date.now()),
    events,
    emit,
    emitAll: (all) => all.forEach(emit),
  }
}
