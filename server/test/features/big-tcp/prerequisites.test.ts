/** The probes of a cluster's prerequisites, for an agent's recorded reports and the answers of a try. */
import { epochMs } from '@expresslane/shared/base/units'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { expect, test } from 'vitest'
import type { ProbeOutcome, ProbeRun } from '../../../src/features/feature.ts'
import { probes } from '../../../src/features/big-tcp/cluster/prerequisites.ts'
import type { Tried, TrySettings } from '../../../src/testbeds/testbed.ts'
import { parseCiliumStatus } from '../../../src/tools/cilium-status.ts'
import { recordedStatuses } from '../../testbeds/kubernetes/recorded.ts'

const status = recordedStatuses('off')['kind-worker2'] ?? {}
const legacy = { ...recordedStatuses('on')['kind-worker2'], 'host-routing': { mode: 'Legacy' } }
const refusal = 'time="2026-11-26T22:12:26Z" level=fatal msg="BIG TCP is not supported in tunneling mode" subsys=daemon'
const falling =
  'time="2026-11-26T22:03:20Z" level=info msg="BPF host routing requires enable-bpf-masquerade. Falling back to legacy host routing (enable-host-legacy-routing=true)." subsys=daemon'

const pod = (role: string, node: string, ipv4: string) => ({
  role,
  name: `netperf-${role}`,
  node,
  addresses: { ipv4, ipv6: null },
})
const placement: Placement = {
  madeAt: epochMs.parse(1),
  variant: 'other-node',
  pods: [pod('client', 'kind-worker2', '10.244.2.7'), pod('server', 'kind-worker', '10.244.1.7')],
  cpus: {},
}

interface Probed extends ProbeOutcome {
  readonly exhibits: readonly Exhibit[]
  readonly tried: readonly TrySettings[]
}

/** @param reports of the agents, in the order in which they are asked; the last one repeats */
async function probed(id: keyof typeof probes, answer: Tried | null, reports: readonly object[]): Promise<Probed> {
  const exhibits: Exhibit[] = []
  const tried: TrySettings[] = []
  const left = [...reports]
  const refused = async (): Promise<never> => {
    throw new Error('nothing is changed')
  }
  const run: ProbeRun = {
    arm: { id: 'off', label: 'Off', settings: {} },
    pods: {
      placement,
      look: async () => JSON.stringify(left.length > 1 ? left.shift() : left[0]),
      ask: async (_target, [command]) =>
        command === 'ls'
          ? { ok: true, lines: ['05-cilium.conflist'] }
          : { ok: true, lines: [JSON.stringify([{ dev: 'eth0', gateway: '172.30.0.11' }])] },
      run: refused,
      feed: refused,
      hold: refused,
    },
    trySettings:
      answer === null
        ? null
        : async (asked) => {
            tried.push(asked)
            return answer
          },
    show: (exhibit) => exhibits.push(exhibit),
    capture: refused,
  }
  return { ...(await probes[id](run)), exhibits, tried }
}

test('the prerequisites are read from a file, the agent and the kernel of both nodes', async () => {
  const { observations } = await probed('prerequisites', null, [status])
  expect(observations.every(({ ok }) => ok)).toBe(true)
  expect(observations.map(({ label, seen }) => [label, seen])).toEqual([
    ['CNI configuration', '05-cilium.conflist on kind-worker2, kind-worker'],
    ['kube-proxy replacement', 'True on kind-worker2, kind-worker'],
    ['Host routing', 'BPF on kind-worker2, kind-worker'],
    ['Masquerading', 'BPF on kind-worker2, kind-worker'],
    ['BIG TCP over IPv4', 'off on kind-worker2, kind-worker'],
    ['Next hop to the other pod', '172.30.0.11 by eth0 on kind-worker2, kind-worker'],
  ])
})

test('a prerequisite that the agent does not report is not taken for met', async () => {
  const { observations } = await probed('prerequisites', null, [{ cilium: status['cilium'] }])
  expect(observations.filter(({ ok }) => !ok).map(({ label }) => label)).toContain('Host routing')
})

test('an agent’s refusal is quoted, with BIG TCP asked for on the client’s node', async () => {
  const answer: Tried = { kind: 'refused', lines: [refusal] }
  const { sentence, observations, tried, exhibits } = await probed('without-native-routing', answer, [status])
  expect(tried).toMatchObject([
    {
      node: 'kind-worker2',
      data: { 'routing-mode': 'tunnel', 'auto-direct-node-routes': 'false', 'enable-ipv4-big-tcp': 'true' },
    },
  ])
  expect(sentence).toContain('Without native routing the agent refuses: “BIG TCP is not supported in tunneling mode”.')
  expect(observations.every(({ ok }) => ok)).toBe(true)
  expect(exhibits[0]).toMatchObject({
    rows: expect.arrayContaining([['Host routing', 'BPF', 'no agent', 'BPF']]) as unknown,
  })
  expect(exhibits[1]).toMatchObject({ rows: [[refusal]] })
})

test('a line that is too long keeps its end, where the reason is', async () => {
  const long = `time="2026-11-26T22:12:26Z" level=fatal msg="${'failed to build a part: '.repeat(40)}the reason" subsys=daemon`
  const { exhibits } = await probed('without-host-routing', { kind: 'refused', lines: [long] }, [status])
  const [[shown = ''] = []] = exhibits[1]?.kind === 'table' ? exhibits[1].rows : []
  expect(shown).toMatch(/^time="2026-11-26T22:12:26Z" level=fatal .* … .*the reason" subsys=daemon$/)
  expect(shown.length).toBeLessThan(500)
})

test('an agent that goes on is shown with its own report', async () => {
  const answer: Tried = { kind: 'taken', status: parseCiliumStatus(JSON.stringify(legacy)), lines: [falling] }
  const { sentence } = await probed('without-masquerade', answer, [status])
  expect(sentence).toContain('starts and says: “BPF host routing requires enable-bpf-masquerade. Falling back')
  expect(sentence).toContain('It reports BIG TCP on and host routing Legacy.')
})

test('a report that is not as before fails the check', async () => {
  const { observations } = await probed('without-host-routing', { kind: 'refused', lines: [refusal] }, [status, legacy])
  const wrong = observations.filter(({ ok }) => !ok).map(({ label, seen }) => `${label}: ${seen}`)
  expect(wrong).toEqual(['its report with the old settings: Host routing Legacy, BIG TCP over IPv4 on'])
})

test('where nobody has allowed it, the step is left out with the reason, and nothing is claimed', async () => {
  const { sentence, leftOut, exhibits } = await probed('without-host-routing', { kind: 'denied', why: 'No.' }, [status])
  expect({ sentence, leftOut, exhibits }).toEqual({
    sentence: 'This step is left out. No.',
    leftOut: true,
    exhibits: [],
  })
})
