/**
 * The prerequisites of BIG TCP on a cluster: reads them from the agents, and tries on one node what its agent says
 * without one of them, with BIG TCP switched on.
 */
import { CLIENT, SERVER, podOf, type Pod } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { agentStatusArgv } from '../../../tools/cilium-gateway.ts'
import { messageOf, reasonIn } from '../../../tools/cilium-log.ts'
import { byValue } from '../../../testbeds/cluster-view.ts'
import { parseCiliumStatus } from '../../../tools/cilium-status.ts'
import { parseRoute, routeGetArgv } from '../../../tools/ip-route.ts'
import type { ProbeOutcome, ProbeRun, RunProbe } from '../../feature.ts'

const mode = z.object({ mode: z.string().optional() }).optional()
const datapath = z.object({
  'kube-proxy-replacement': mode,
  'host-routing': mode,
  routing: z.object({ 'intra-host-routing-mode': z.string().optional() }).optional(),
  masquerading: z.object({ enabled: z.boolean().default(false), mode: z.string().optional() }).optional(),
})

/** An agent's report, by the name of each part. */
type Report = Readonly<Record<string, string>>

/** @param json of `cilium-dbg status -o json`; parts that this release does not report are unknown */
function reportIn(json: unknown): Report {
  const {
    'kube-proxy-replacement': replacement,
    'host-routing': hostRouting,
    routing,
    masquerading,
  } = datapath.catch({}).parse(json)
  const { setting } = parseCiliumStatus(JSON.stringify(json))
  const masquerade = masquerading?.enabled === false ? 'Disabled' : masquerading?.mode
  return {
    'kube-proxy replacement': replacement?.mode ?? 'unknown',
    'Host routing': hostRouting?.mode ?? routing?.['intra-host-routing-mode'] ?? 'unknown',
    Masquerading: masquerade ?? 'unknown',
    'BIG TCP over IPv4': setting.ipv4 === null ? 'unknown' : setting.ipv4 ? 'on' : 'off',
  }
}

async function reportOf(node: string, { look }: ProbeRun['pods']): Promise<Report> {
  return reportIn(JSON.parse(await look(`node:${node}`, agentStatusArgv)))
}

function placed(role: string, { pods }: ProbeRun): Pod {
  const pod = podOf(pods.placement, role)
  if (pod !== null) return pod
  throw new LabError('workload_not_ready', `There is no ${role} pod.`, 'Run the step that deploys the pods.')
}

/** The next hop of a node's packets to a pod of another node, in words. */
async function hopTo({ addresses }: Pod, node: string, { ask }: ProbeRun['pods']): Promise<string> {
  const { ok, lines } = await ask(`node:${node}`, routeGetArgv('ipv4', addresses.ipv4 ?? ''))
  if (!ok) return lines.at(-1) ?? 'no route'
  const { device, gateway } = parseRoute(lines.join('\n'))
  return `${gateway ?? 'no next hop'} by ${device}`
}

const CNI_FOLDER = '/host/etc/cni/net.d'

/** Reads what the kubelet, the agent and the kernel of both pods' nodes have. Nothing is changed. */
const prerequisites: RunProbe = async (run) => {
  const { pods } = run
  const [client, server] = [placed(CLIENT, run), placed(SERVER, run)]
  const ends = [
    [client, server],
    [server, client],
  ] as const
  const columns = await Promise.all(
    ends.map(async ([{ node }, other]) => {
      const cni = await pods.ask(`node:${node}`, ['ls', CNI_FOLDER])
      return {
        'CNI configuration': cni.ok ? cni.lines.join(', ') : 'unknown',
        ...(await reportOf(node, pods)),
        'Next hop to the other pod': await hopTo(other, node, pods),
      }
    }),
  )
  const observations = Object.keys(columns[0] ?? {}).map((label) => {
    const seen = ends.map(([{ node }], at) => [node, (columns[at] as Report)[label] ?? 'unknown'] as const)
    return { label, expected: null, seen: byValue(seen), ok: seen.every(([, one]) => one !== 'unknown') }
  })
  return { sentence: 'This is what the kubelet, the agent and the kernel of both nodes have.', observations }
}

/** A line without its middle, where it is too long to be shown: the reason is at its end. */
function shortened(line: string): string {
  return line.length <= 450 ? line : `${line.slice(0, 100)} … ${line.slice(-300)}`
}

/** Log lines that say how an agent goes on without a prerequisite. */
const ABOUT = /host routing|BPF masquerade|BIG TCP/i

async function tryWithout(name: string, data: Readonly<Record<string, string>>, run: ProbeRun): Promise<ProbeOutcome> {
  const { pods, show } = run
  if (run.trySettings === null)
    throw new LabError('bad_request', 'This testbed tries no settings.', 'Choose a cluster.')
  const { node } = placed(CLIENT, run)
  const before = await reportOf(node, pods)
  const all = { ...data, 'enable-ipv4-big-tcp': 'true' }
  const tried = await run.trySettings({ node, data: all, about: ABOUT })
  if (tried.kind === 'denied')
    return { sentence: `This step is left out. ${tried.why}`, observations: [], leftOut: true }
  const during = tried.kind === 'taken' ? reportIn(tried.status.json) : null
  const after = await reportOf(node, pods)
  show({
    kind: 'table',
    title: `The agent of ${node}`,
    columns: ['Part', 'Before', 'With the try', 'Restored'],
    rows: Object.entries(before).map(([part, was]) => [
      part,
      was,
      during?.[part] ?? 'no agent',
      after[part] ?? 'unknown',
    ]),
    more: 0,
  })
  const lines = tried.lines.slice(-5)
  if (lines.length > 0) {
    const rows = lines.map((line) => [shortened(line)])
    show({
      kind: 'table',
      title: 'Its log',
      columns: ['Line'],
      rows,
      more: tried.lines.length - lines.length,
    })
  }
  const words =
    tried.kind === 'refused'
      ? (reasonIn(tried.lines) ?? 'nothing')
      : (lines.map(messageOf).at(-1) ?? 'nothing about it')
  const changed = Object.entries(before).flatMap(([part, was]) =>
    after[part] === was ? [] : `${part} ${after[part] ?? 'unknown'}`,
  )
  const observations = [
    { label: `the agent of ${node}`, expected: null, seen: words, ok: true },
    {
      label: 'its report with the old settings',
      expected: 'as before',
      seen: changed.length === 0 ? 'as before' : changed.join(', '),
      ok: changed.length === 0,
    },
  ]
  const sentence =
    during === null
      ? `Without ${name} the agent refuses: “${words}”. The old settings are restored, and every agent is healthy.`
      : `Without ${name} the agent starts and says: “${words}”. It reports BIG TCP ${during['BIG TCP over IPv4'] ?? ''} and host routing ${during['Host routing'] ?? ''}. The old settings are restored.`
  return { sentence, observations }
}

const without =
  (name: string, data: Readonly<Record<string, string>>): RunProbe =>
  (run) =>
    tryWithout(name, data, run)

/** Each prerequisite switched off, by the key that Cilium has had since 1.14. */
export const probes = {
  prerequisites,
  'without-kube-proxy-replacement': without('kube-proxy replacement', { 'kube-proxy-replacement': 'false' }),
  'without-host-routing': without('eBPF host routing', { 'enable-host-legacy-routing': 'true' }),
  'without-masquerade': without('BPF masquerading', { 'enable-bpf-masquerade': 'false' }),
  'without-native-routing': without('native routing', { 'routing-mode': 'tunnel', 'auto-direct-node-routes': 'false' }),
  'without-direct-routes': without('direct node routes', { 'auto-direct-node-routes': 'false' }),
} as const satisfies Readonly<Record<string, RunProbe>>
