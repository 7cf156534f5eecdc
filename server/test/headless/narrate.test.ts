import { expect, test } from 'vitest'
import { narrate } from '../../src/headless/narrate.ts'
import { shipped } from '../support/runs/labs.ts'

test('names the arms that a testbed can’t do, with the reason', () => {
  const lab = shipped.find('nodeport-rate')
  const action = lab?.steps.find(({ id }) => id === 'measure')?.action
  if (lab === undefined || action?.kind !== 'experiment' || action.plan === null) throw new Error('no such experiment')
  const plan = { ...action.plan, design: { ...action.plan.design, repeats: 8, seconds: 0.5 } }
  expect(narrate(lab, { type: 'experiment.planned', plan }, null)).toEqual([])
  const leftOut = [{ id: 'xdp', label: 'XDP', reason: 'BPF needs root here.' }]
  expect(narrate(lab, { type: 'experiment.planned', plan, leftOut }, null)).toEqual([
    '   left out here: XDP: BPF needs root here.',
  ])
})
