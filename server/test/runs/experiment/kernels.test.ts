/** Kernels as arms: each measurement has the facts of its own machine, and the proof reads its kernel back. */
import { KERNEL } from '@expresslane/shared/features/kernel'
import { measurementsOf } from '@expresslane/shared/run/run-state'
import { describe, expect, it } from 'vitest'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { openRig } from '../../support/deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../../support/fakes/fake-testbed.ts'
import { arm, perform, planOf } from '../../support/runs/experiments.ts'

const RELEASES = ['6.12.117', '6.12.43']

/** @param boots which kernel boots when one is chosen */
function withKernels(boots: (release: string) => string): FakeTestbed {
  const fake = createFakeTestbed()
  let kernel: string | null = null
  const release = (): string => (kernel === null ? '6.12.117' : boots(kernel))
  const known = (state: Awaited<ReturnType<Testbed['read']>>) => ({
    ...state,
    settings: { ...state.settings, [KERNEL]: kernel },
    carried: { [KERNEL]: kernel === null ? null : release() },
  })
  return {
    ...fake,
    primitives: { ...fake.primitives, kernels: null },
    settable: [...fake.settable, KERNEL],
    choices: new Map([[KERNEL, RELEASES]]),
    facts: async (context) => ({ ...(await fake.facts(context)), kernel: release() }),
    read: async (context) => known(await fake.read(context)),
    async set({ [KERNEL]: chosen, ...rest }, context) {
      if (chosen !== undefined) kernel = typeof chosen === 'string' ? chosen : null
      return known(await fake.set(rest, context))
    },
  }
}

const plan = (other: string) => planOf({}, { arms: [arm('usual', false), arm('other', false, { [KERNEL]: other })] })

describe('kernels as arms', () => {
  it('are measured on their own machines, and the default is back afterwards', async () => {
    const run = await perform(openRig({ fakes: [withKernels((release) => release)] }), plan('6.12.43'))
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
    const seen = measurementsOf(run).map((one) => [one.arm, one.fingerprint?.kernel, one.fingerprint?.settings[KERNEL]])
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['["usual","6.12.117",null]', '["other","6.12.43","6.12.43"]']),
    )
    expect(run.facts?.kernel).toBe('6.12.117')
    expect(run.datapath?.settings[KERNEL]).toBeNull()
    expect(run.outcome?.observations.filter(({ label }) => label.endsWith(': kernel'))).toMatchObject([
      { expected: 'the default', ok: true },
      { expected: '6.12.43', seen: '6.12.43', ok: true },
    ])
  })

  it('are no figures where another kernel runs', async () => {
    const run = await perform(openRig({ fakes: [withKernels(() => '6.12.9')] }), plan('6.12.43'))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'datapath_not_taken' } })
    expect(measurementsOf(run).some((one) => one.arm === 'other')).toBe(false)
  })

  it('are refused before the first run where they are not here', async () => {
    const run = await perform(openRig({ fakes: [withKernels((release) => release)] }), plan('6.12.1'))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request' }, repeats: [] })
    expect(run.problem?.message).toContain('6.12.117, 6.12.43')
  })
})
