import { lab } from '@expresslane/shared/lab'
import { testbedView, type TestbedView } from '@expresslane/shared/protocol'
import { describe, expect, it } from 'vitest'
import { availabilityOf } from '../src/lab/availability.ts'

const needsIpv4 = lab.parse({
  id: 'a',
  title: 'A',
  question: 'Q?',
  summary: 'S',
  family: 'ipv4',
  minutes: 1,
  needs: ['big-tcp-ipv4'],
  steps: [{ id: 's', title: 'S', prose: '', commands: [], action: null, actionLabel: null, hint: null }],
})
const facts = {
  kind: 'netns',
  name: 'this machine',
  incarnation: 'one',
  kernel: '6.18',
  os: 'Debian',
  cpu: { model: 'x', count: 2, governor: null },
  load: 0,
  nodes: [],
  versions: {},
}
const testbed = (over: Partial<Record<keyof TestbedView, unknown>>): TestbedView =>
  testbedView.parse({
    kind: 'netns',
    capabilities: ['big-tcp-ipv4', 'big-tcp-ipv6'],
    facts,
    preflight: [],
    datapath: null,
    problem: null,
    busy: null,
    ...over,
  })
const check = (status: string, blocks: string[]) => ({
  id: 'kernel',
  title: 'Kernel',
  status,
  seen: '6.1',
  remedy: 'Take a newer one.',
  remedyCommand: null,
  blocks,
})

describe('availabilityOf', () => {
  it('lets a lab run where nothing that it needs is taken away', () => {
    const preflight = [check('failed', ['big-tcp-ipv6']), check('warning', ['big-tcp-ipv4'])]
    expect(availabilityOf(needsIpv4, testbed({ preflight })).possible).toBe(true)
  })

  it('names the failed checks that take it away, and not the missing capability once more', () => {
    const preflight = [check('failed', ['big-tcp-ipv4'])]
    const { possible, blockers, lacking } = availabilityOf(needsIpv4, testbed({ preflight, capabilities: [] }))
    expect({ possible, blockers: blockers.map(({ id }) => id), lacking }).toEqual({
      possible: false,
      blockers: ['kernel'],
      lacking: [],
    })
  })

  it('tells what a testbed never offers, and why it could not be read', () => {
    expect(availabilityOf(needsIpv4, testbed({ capabilities: [] })).lacking).toEqual(['big-tcp-ipv4'])
    const problem = { code: 'testbed_unavailable', message: 'm', remedy: 'r', remedyCommand: null, detail: null }
    expect(availabilityOf(needsIpv4, testbed({ facts: null, problem }))).toMatchObject({ possible: false, problem })
  })
})
