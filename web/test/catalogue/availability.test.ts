import { describe, expect, it } from 'vitest'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { availabilityOf, canMend, ownReasons, reasonOf, sharedReasons } from '../../src/catalogue/availability.ts'
import { aLab, check, clusterFacts, testbed } from '@expresslane/shared/test/builders'

const needsIpv4 = aLab({ needs: ['big-tcp-ipv4'] })
const facts = clusterFacts([{ kernel: '6.18', cilium: '1.15.19' }])

describe('availabilityOf', () => {
  it('lets a lab run where nothing that it needs is taken away', () => {
    const preflight = [check('failed', { blocks: ['big-tcp-ipv6'] }), check('warning', { blocks: ['big-tcp-ipv4'] })]
    expect(availabilityOf(needsIpv4, testbed({ facts, preflight })).possible).toBe(true)
  })

  it('takes a check that blocks all for one in the way of every lab, and says so once', () => {
    const preflight = [check('failed', { blocks: 'all' })]
    const { possible, blockers, lacking } = availabilityOf(needsIpv4, testbed({ facts, preflight, capabilities: [] }))
    expect([possible, blockers.length, lacking]).toEqual([false, 1, []])
  })

  it('names the failed checks that take it away, and not the missing capability once more', () => {
    const preflight = [check('failed', { blocks: ['big-tcp-ipv4'] })]
    const { possible, blockers, lacking } = availabilityOf(needsIpv4, testbed({ facts, preflight, capabilities: [] }))
    expect({ possible, blockers: blockers.map(({ id }) => id), lacking }).toEqual({
      possible: false,
      blockers: ['kernel'],
      lacking: [],
    })
  })

  it('gives the reason why a testbed lacks something, and why it could not be read', () => {
    const reason = 'Its devices have no IPv4 limit.'
    const lacks = [{ capability: 'big-tcp-ipv4', reason }]
    expect(availabilityOf(needsIpv4, testbed({ facts, capabilities: [], lacks })).lacking).toEqual([reason])
    expect(availabilityOf(needsIpv4, testbed({ facts, capabilities: [] })).lacking).toEqual([
      'This testbed does not support BIG TCP over IPv4.',
    ])
    const needsBoth = aLab({ needs: ['big-tcp-ipv4', 'big-tcp-ipv6'] })
    const same = [...lacks, { capability: 'big-tcp-ipv6', reason }]
    expect(availabilityOf(needsBoth, testbed({ facts, capabilities: [], lacks: same })).lacking).toEqual([reason])
    const problem = { code: 'testbed_unavailable', message: 'm', remedy: 'r', remedyCommand: null, detail: null }
    expect(availabilityOf(needsIpv4, testbed({ problem }))).toMatchObject({ possible: false, problem })
  })

  it('says that tools come by themselves, unless there is something to mend as well', () => {
    const qemu = check('failed', { id: 'qemu', title: 'QEMU is installed', blocks: 'all', coming: true })
    const kernel = check('failed', { title: 'A kernel is packed', blocks: 'all' })
    const of = (preflight: Check[]) => availabilityOf(needsIpv4, testbed({ facts, preflight }))
    const waiting = of([qemu, { ...kernel, coming: true }])
    expect([waiting.possible, canMend(waiting)]).toEqual([false, false])
    expect(reasonOf(waiting)).toMatch(/^The set-up is getting its tools in the background/)
    const mixed = of([qemu, kernel])
    expect([canMend(mixed), reasonOf(mixed)]).toEqual([
      true,
      '2 failed checks (QEMU is installed and A kernel is packed).',
    ])
  })

  it('takes a missing tool of two pods from their labs only', () => {
    const preflight = [check('failed', { id: 'netperf', blocks: 'topology' })]
    const here = testbed({ facts, preflight, capabilities: ['big-tcp-ipv4'] })
    expect(availabilityOf(needsIpv4, here)).toMatchObject({ possible: false, blockers: [{ id: 'netperf' }] })
    expect(availabilityOf({ ...needsIpv4, feature: 'nodeport', needs: [] }, here)).toMatchObject({ possible: true })
  })

  it('lets a recording play only the lab that it was made of', () => {
    const recording = (labs: string[]) => availabilityOf(needsIpv4, testbed({ kind: 'recording', facts, labs }))
    expect(recording([needsIpv4.id]).possible).toBe(true)
    expect(recording(['b'])).toMatchObject({ possible: false, otherLab: true, lacking: [] })
  })

  it('keeps testbeds apart: a cluster that is not reached takes nothing from this machine', () => {
    const problem = { code: 'cluster_unreachable', message: 'm', remedy: 'r', remedyCommand: null, detail: null }
    const testbeds = [testbed({ facts }), testbed({ kind: 'kubernetes', context: 'far', problem, capabilities: [] })]
    const [machine, cluster] = testbeds.map((one) => availabilityOf(needsIpv4, one))
    expect(machine?.possible).toBe(true)
    expect(cluster).toMatchObject({ possible: false, problem: { code: 'cluster_unreachable' } })
  })
})

describe('a capability that all labs lack on a testbed', () => {
  const streams = { ...needsIpv4, id: 'b', needs: ['big-tcp-ipv4', 'iperf3'] }
  const problem = {
    code: 'kubeconfig_invalid',
    message: 'No kubeconfig.',
    remedy: 'r',
    remedyCommand: null,
    detail: null,
  }

  it('is said once, and nothing of it is left for a lab', () => {
    const cluster = testbed({ kind: 'kubernetes', problem })
    const shared = sharedReasons([needsIpv4, streams], cluster)
    expect([shared.possible, reasonOf(shared)]).toEqual([false, 'No kubeconfig.'])
    expect(ownReasons(availabilityOf(streams, cluster), shared).possible).toBe(true)
  })

  it('leaves to a lab what only it lacks', () => {
    const preflight = [
      check('failed', { id: 'kernel', blocks: ['big-tcp-ipv4'] }),
      check('failed', { id: 'iperf3', title: 'iperf3 is installed', blocks: ['iperf3'] }),
    ]
    const here = testbed({ facts, preflight, capabilities: ['big-tcp-ipv4', 'iperf3'] })
    const shared = sharedReasons([needsIpv4, streams], here)
    expect(shared.blockers.map(({ id }) => id)).toEqual(['kernel'])
    const own = ownReasons(availabilityOf(streams, here), shared)
    expect([own.possible, reasonOf(own)]).toEqual([false, '1 failed check (iperf3 is installed).'])
    expect(ownReasons(availabilityOf(needsIpv4, here), shared).possible).toBe(true)
  })

  it('is nothing where there is one lab: its card says it', () => {
    expect(sharedReasons([needsIpv4], testbed({ problem })).possible).toBe(true)
  })
})
