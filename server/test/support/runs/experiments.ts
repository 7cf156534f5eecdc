/** Experiments on fake testbeds, started from the Bench page. */
import { whyLacking } from '@expresslane/shared/features/capabilities'
import { allSettings } from '@expresslane/shared/features/settings'
import { experimentPlan, type Design, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/base/settings'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import { primitives as all, type Primitive, type Primitives } from '@expresslane/shared/testbed/primitive'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { beginSession, stateOf, type Rig } from '../deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../fakes/fake-testbed.ts'
import { bigTcp } from './settings.ts'

export const arm = (id: string, on: boolean, over: Settings = {}) => ({
  id,
  label: id,
  settings: { ...bigTcp({ ipv4: on, ipv6: on }), ...over },
})
export const request = (family: 'ipv4' | 'ipv6', bytes = 80_000) => ({
  id: `${family}-${bytes}`,
  label: `${bytes} bytes over ${family}`,
  family,
  benchmark: { tool: 'tcp-rr', requestBytes: bytes, responseBytes: bytes },
})
const plain: Design = { order: 'auto', repeats: 2, seconds: 1, warmups: 0, budget: null }

export interface Parts {
  readonly arms?: readonly object[]
  readonly cases?: readonly object[]
}

export function planOf(design: Partial<Design> = {}, { arms, cases }: Parts = {}): ExperimentPlan {
  return experimentPlan.parse({
    arms: arms ?? [arm('off', false), arm('on', true)],
    cases: cases ?? [request('ipv4')],
    design: { ...plain, ...design },
  })
}

export const start = async ({ deps }: Rig, plan: ExperimentPlan, params: StepParams = {}) =>
  deps.scheduler.start(await beginSession(deps, 'bench'), {
    stepId: 'run',
    params: { ...params, plan },
    solve: false,
  })

export async function perform(rig: Rig, plan: ExperimentPlan, params: StepParams = {}): Promise<RunState> {
  const { runId } = await start(rig, plan, params)
  await rig.deps.scheduler.settled(runId)
  return stateOf(rig.deps, runId)
}

export async function theTestbed({ deps, fakes }: Rig): Promise<FakeTestbed> {
  await deps.testbeds.get(thisMachine)
  const [fake] = fakes
  if (fake === undefined) throw new Error('no testbed was made')
  return fake
}

/** A fake that has only some primitives. @param reasons for those that it lacks */
export function limited(has: readonly Primitive[], reasons: Partial<Primitives> = {}): FakeTestbed {
  const lacks = (one: Primitive): string | null => (has.includes(one) ? null : (reasons[one] ?? 'It lacks this.'))
  const primitives = Object.fromEntries(all.map((one) => [one, lacks(one)] as const)) as Primitives
  const settable = allSettings().filter(
    ({ capability }) => capability !== null && whyLacking(capability, primitives) === null,
  )
  return { ...createFakeTestbed(), primitives, settable: settable.map(({ id }) => id) }
}

/** `off on on off`; what was thrown away in brackets. */
export function orderOf({ repeats }: RunState): string {
  return repeats.map((one) => (one.warmup ? `(${one.arm})` : one.arm)).join(' ')
}
