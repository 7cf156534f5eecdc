/** What one agent tells of its node's datapath, in the words that facts and preflight use. */
import type { V1Pod } from '@kubernetes/client-node'
import type { Link } from '@expresslane/shared/reading'
import type { ClusterNode } from '@expresslane/shared/testbed'
import type { Family } from '@expresslane/shared/units'
import { z } from 'zod'
import { isReady } from './rollout.ts'

const mode = z.object({ mode: z.string() }).nullish()
const stated = z.object({ state: z.string(), msg: z.string().nullish() }).nullish()
const devices = z.object({ devices: z.array(z.string()).nullish() }).nullish()

/**
 * The part of `cilium-dbg status -o json` that is read here; releases differ in what they tell at all.
 *
 * @see https://github.com/cilium/cilium/blob/main/api/v1/models/status_response.go
 */
const statusJson = z.object({
  cilium: stated,
  kubernetes: stated,
  'datapath-mode': z.string().nullish(),
  'host-routing': mode,
  // From 1.16 on.
  routing: z
    .object({
      'inter-host-routing-mode': z.string().nullish(),
      'intra-host-routing-mode': z.string().nullish(),
      'tunnel-protocol': z.string().nullish(),
    })
    .nullish(),
  'kube-proxy-replacement': z.object({ mode: z.string(), devices: z.array(z.string()).nullish() }).nullish(),
  'host-firewall': devices,
  'bandwidth-manager': devices,
  masquerading: z
    .object({
      enabled: z.boolean().optional(),
      mode: z.string().nullish(),
      enabledProtocols: z.object({ ipv4: z.boolean().optional(), ipv6: z.boolean().optional() }).nullish(),
    })
    .nullish(),
  encryption: mode,
  ipam: z.object({ ipv4: z.array(z.string()).nullish(), ipv6: z.array(z.string()).nullish() }).nullish(),
  controllers: z
    .array(
      z.object({
        name: z.string(),
        status: z
          .object({ 'consecutive-failure-count': z.number().optional(), 'last-failure-msg': z.string().optional() })
          .nullish(),
      }),
    )
    .nullish(),
})
type StatusJson = z.infer<typeof statusJson>

export interface AgentView {
  readonly node: string
  readonly pod: string | null
  readonly ready: boolean
  /** Why it could not be asked; then all below is null or empty. */
  readonly unreadable: string | null
  /** What it says is wrong with it; null where it is well. */
  readonly failure: string | null
  /** What it warns of, and lives with. */
  readonly complaint: string | null
  readonly version: string | null
  readonly datapathMode: string | null
  /** `native`, or `tunnel` with its protocol. */
  readonly routing: string | null
  readonly hostRouting: string | null
  readonly masquerading: string | null
  readonly kubeProxyReplacement: string | null
  readonly encryption: string | null
  readonly podFamilies: Readonly<Record<Family, boolean>> | null
  readonly devices: ClusterNode['devices']
  /** Does its `ip` show the IPv4 sizes? */
  readonly showsIpv4: boolean | null
  readonly tunnels: readonly string[]
}

/** What is known of an agent before it is understood. */
export interface AgentWords {
  readonly node: string
  /** Null while its node has none. */
  readonly pod: V1Pod | null
  /** `cilium-dbg status -o json`, parsed; null where it could not be had. */
  readonly status: unknown
  readonly links: readonly Link[]
  readonly unreadable: string | null
}

type Settings = Readonly<Record<string, string>>

function partsOf({ cilium, kubernetes }: StatusJson): { failure: string | null; complaint: string | null } {
  const bad = [cilium, kubernetes].filter((part) => part != null).filter(({ state }) => state !== 'Ok')
  const words = ({ state, msg }: { state: string; msg?: string | null | undefined }): string => `${state}: ${msg ?? ''}`
  const worst = bad.find(({ state }) => state !== 'Warning')
  const mild = bad.find(({ state }) => state === 'Warning')
  return {
    failure: worst === undefined ? null : words(worst),
    complaint: mild === undefined ? null : words(mild),
  }
}

/** A datapath that does not load shows in a controller that fails again and again, and in nothing else. */
function failingController({ controllers }: StatusJson): string | null {
  const failing = controllers?.find(({ status }) => (status?.['consecutive-failure-count'] ?? 0) >= 2)
  return failing === undefined ? null : `${failing.name} fails: ${failing.status?.['last-failure-msg'] ?? ''}`
}

function routingOf({ routing }: StatusJson, settings: Settings): string | null {
  const told = routing?.['inter-host-routing-mode']?.toLowerCase() ?? settings['routing-mode']
  const protocol = routing?.['tunnel-protocol'] ?? settings['tunnel-protocol']
  if (told !== undefined) return told === 'tunnel' && protocol ? `tunnel (${protocol})` : told
  // Before 1.14.
  const tunnel = settings['tunnel']
  if (tunnel === undefined) return null
  return tunnel === 'disabled' ? 'native' : `tunnel (${tunnel})`
}

function masqueradingOf({ masquerading }: StatusJson): string | null {
  if (masquerading == null) return null
  if (masquerading.enabled !== true) return 'Disabled'
  const { ipv4, ipv6 } = masquerading.enabledProtocols ?? {}
  const of = [...(ipv4 === true ? ['IPv4'] : []), ...(ipv6 === true ? ['IPv6'] : [])].join(', ')
  return `${masquerading.mode ?? 'unknown'}${of === '' ? '' : ` (${of})`}`
}

/** Agents tell it from 1.16 on; before, there was veth alone, unless the settings say otherwise. */
function datapathModeOf(status: StatusJson, settings: Settings, version: string | null): string | null {
  const told = status['datapath-mode'] ?? settings['datapath-mode']
  if (told !== undefined) return told
  return version !== null && /^1\.(\d|1[0-5])\./.test(version) ? 'veth' : null
}

function nativeDevices(status: StatusJson): readonly string[] {
  const lists = [
    status['kube-proxy-replacement']?.devices,
    status['host-firewall']?.devices,
    status['bandwidth-manager']?.devices,
  ]
  return lists.find((list) => list != null && list.length > 0) ?? []
}

const TUNNEL = /^cilium_(vxlan|geneve)$/

const nothing = {
  failure: null,
  complaint: null,
  version: null,
  datapathMode: null,
  routing: null,
  hostRouting: null,
  masquerading: null,
  kubeProxyReplacement: null,
  encryption: null,
  podFamilies: null,
  devices: [],
  showsIpv4: null,
  tunnels: [],
}

/** @param settings the ConfigMap's, for what older agents do not tell of themselves */
export function viewAgent({ node, pod, status: json, links, unreadable }: AgentWords, settings: Settings): AgentView {
  const known = { node, pod: pod?.metadata?.name ?? null, ready: pod !== null && isReady(pod) }
  if (pod === null) return { ...nothing, ...known, unreadable: unreadable ?? 'no agent runs there' }
  const parsed = statusJson.safeParse(json)
  if (unreadable !== null || !parsed.success) {
    return { ...nothing, ...known, unreadable: unreadable ?? "its status can't be understood" }
  }
  const status = parsed.data
  const { failure, complaint } = partsOf(status)
  const version = /^v?(\d+\.\d+\S*)/.exec(status.cilium?.msg ?? '')?.[1] ?? null
  const natives = nativeDevices(status).map((name) => links.find(({ device }) => device === name) ?? name)
  return {
    ...known,
    unreadable: null,
    failure,
    complaint: complaint ?? failingController(status),
    version,
    datapathMode: datapathModeOf(status, settings, version),
    routing: routingOf(status, settings),
    hostRouting: status['host-routing']?.mode ?? status.routing?.['intra-host-routing-mode'] ?? null,
    masquerading: masqueradingOf(status),
    kubeProxyReplacement: status['kube-proxy-replacement']?.mode ?? null,
    encryption: status.encryption?.mode ?? null,
    podFamilies:
      status.ipam == null
        ? null
        : { ipv4: (status.ipam.ipv4 ?? []).length > 0, ipv6: (status.ipam.ipv6 ?? []).length > 0 },
    devices: natives.map((one) =>
      typeof one === 'string' ? { name: one, tsoMaxSize: null } : { name: one.device, tsoMaxSize: one.tsoMaxSize },
    ),
    showsIpv4: links.length === 0 ? null : links.some(({ gsoIpv4MaxSize }) => gsoIpv4MaxSize !== null),
    tunnels: links.map(({ device }) => device).filter((device) => TUNNEL.test(device)),
  }
}
