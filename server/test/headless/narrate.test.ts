import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { somePackets } from '@expresslane/shared/test/exhibits'
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

test('says of a step that the testbed can’t do that it is left out', () => {
  const lab = shipped.find('nat64')
  if (lab === undefined) throw new Error('no such lab')
  const outcome = { passed: true, sentence: 'BPF needs root here.', observations: [], hint: null }
  expect(narrate(lab, { type: 'step.checked', outcome }, null)).toEqual(['   ok: BPF needs root here.'])
  expect(narrate(lab, { type: 'step.checked', outcome: { ...outcome, leftOut: true } }, null)).toEqual([
    '   left out: BPF needs root here.',
  ])
})

test('prints what a probe found as a table, and nothing that a terminal acts upon', () => {
  const lab = shipped.find('nodeport-rate')
  if (lab === undefined) throw new Error('no such lab')
  const print = (exhibit: Exhibit): string[] => narrate(lab, { type: 'exhibit.found', exhibit }, null)
  const rows = [
    ['v4only.example', 'A', '10.4.0.2'],
    ['v6only.example', 'AAAA'],
    ['\u001b[2J\u202ex', 'A\nB', ''],
  ]
  const table: Exhibit = { kind: 'table', title: 'Names', columns: ['Name', 'Type', 'Answer'], rows, more: 2 }
  expect(print(table)).toEqual([
    '   Names',
    '      Name            Type  Answer',
    '      v4only.example  A     10.4.0.2',
    '      v6only.example  AAAA',
    '      [2J x           A B',
    '      2 more rows are not shown.',
  ])
  expect(print(somePackets)[2]).toMatch(/^ {6}version +6 +4 +changed: The other version of IP\.$/)
  expect(print({ ...somePackets, after: { where: 'gateway', head: '' } })).toEqual([
    '   One packet on both sides',
    '      The headers of these packets were not captured whole.',
  ])
})
