/** The report of one agent on its node's datapath, in the terms of facts and preflight. */
import { z } from 'zod'
import { gatewayIn } from '../../../tools/cilium-gateway.ts'
import { isAtLeast } from '../../../tools/versions.ts'
import type { AgentAnswer } from '../datapath/agents.ts'
import { isReady } from '../api/pod.ts'
import { isTrue } from '../../cilium-key.ts'
import { GATEWAY_KEY, type AgentView } from '../../cluster-view.ts'

const modeJson = z.object({ mode: z.string().optional() }).optional()

/**
 * The part of `cilium-dbg status -o json` about the datapath. Releases report different parts:
 * `routing` and `datapath-mode` come with 1.16.
 *
 * @see https://github.com/cilium/cilium/blob/main/api/v1/models/status_response.go
 */
const datapathJson = z.object({
  'datapath-mode': z.string().optional(),
  'host-routing': modeJson,
  routing: z
    .object({
      'inter-host-routing-mode': z.string().optional(),
      'intra-host-routing-mode': z.string().optional(),
      'tunnel-protocol': z.string().optional(),
    })
    .optional(),
  'kube-proxy-replacement': modeJson,
  masquerading: z
    .object({
      enabled: z.boolean().default(false),
      mode: z.string().optional(),
      enabledProtocols: z.object({ ipv4: z.boolean().default(false), ipv6: z.boolean().default(false) }).optional(),
    })
    .optional(),
  encryption: modeJson,
  'bandwidth-manager': z
    .object({ enabled: z.boolean().default(false), congestionControl: z.string().optional() })
    .optional(),
  ipam: z.object({ ipv4: z.array(z.string()).nullish(), ipv6: z.array(z.string()).nullish() }).optional(),
})
type DatapathJson = z.infer<typeof datapathJson>

type Data = Readonly<Record<string, string>>

/** @param data the ConfigMap's, for agents that do not report it */
function routingOf({ routing }: DatapathJson, data: Data): string | null {
  const mode = routing?.['inter-host-routing-mode']?.toLowerCase() ?? data['routing-mode']
  const protocol = routing?.['tunnel-protocol'] ?? data['tunnel-protocol']
  if (mode !== undefined) return mode === 'tunnel' && protocol !== undefined ? `tunnel (${protocol})` : mode
  // Before 1.14 one key had both.
  const tunnel = data['tunnel']
  if (tunnel === undefined) return null
  return tunnel === 'disabled' ? 'native' : `tunnel (${tunnel})`
}

function masqueradingOf({ masquerading }: DatapathJson): string | null {
  if (masquerading === undefined) return null
  if (!masquerading.enabled) return 'Disabled'
  const { ipv4 = false, ipv6 = false } = masquerading.enabledProtocols ?? {}
  const families = [...(ipv4 ? ['IPv4'] : []), ...(ipv6 ? ['IPv6'] : [])].join(', ')
  return `${masquerading.mode ?? 'unknown'}${families === '' ? '' : ` (${families})`}`
}

function bandwidthManagerOf({ 'bandwidth-manager': manager }: DatapathJson): string | null {
  if (manager === undefined) return null
  return manager.enabled ? (manager.congestionControl ?? 'unknown').toUpperCase() : 'Disabled'
}

/** Before 1.16 pods had veth devices, unless the settings say otherwise. */
function datapathModeOf(json: DatapathJson, data: Data, version: string | null): string | null {
  const mode = json['datapath-mode'] ?? data['datapath-mode']
  if (mode !== undefined) return mode
  return version !== null && isAtLeast(version, 1, 16) === false ? 'veth' : null
}

const encryptions = [
  ['enable-wireguard', 'Wireguard'],
  ['enable-ipsec', 'IPsec'],
] as const

/** As the agent names it; of an agent that does not report it, as the ConfigMap asks for it. */
function encryptionOf({ encryption }: DatapathJson, data: Data): string | null {
  if (encryption?.mode !== undefined) return encryption.mode
  const asked = encryptions.filter(([key]) => data[key] !== undefined)
  return asked.length === 0 ? null : (asked.find(([key]) => isTrue(data[key]))?.[1] ?? 'Disabled')
}

/** Agents that do not report it read it from the ConfigMap. */
function gatewayOf(status: Readonly<Record<string, unknown>>, data: Data): string | null {
  const said = gatewayIn(status)
  const asked = data[GATEWAY_KEY]
  if (said !== null || asked === undefined) return said
  return isTrue(asked) ? 'Enabled' : 'Disabled'
}

const TUNNEL = /^cilium_(vxlan|geneve)$/

const nothing = {
  state: null,
  troubles: [],
  version: null,
  datapathMode: null,
  routing: null,
  hostRouting: null,
  masquerading: null,
  kubeProxyReplacement: null,
  encryption: null,
  acceleration: null,
  gateway: null,
  bandwidthManager: null,
  podFamilies: null,
  devices: [],
  showsIpv4: null,
  tunnels: [],
}

/** @param data the ConfigMap's, for values that older agents do not report */
export function viewAgent({ node, pod, status, links: numbered, reason }: AgentAnswer, data: Data): AgentView {
  const known = { node, pod: pod?.metadata?.name ?? null, ready: pod !== null && isReady(pod) }
  if (status === null) return { ...nothing, ...known, unreadable: reason ?? 'its status could not be read' }
  const parsed = datapathJson.safeParse(status.json)
  const json = parsed.success ? parsed.data : {}
  const links = (numbered ?? []).map(({ link }) => link)
  return {
    ...known,
    unreadable: null,
    state: status.state,
    troubles: status.troubles,
    version: status.version,
    datapathMode: datapathModeOf(json, data, status.version),
    routing: routingOf(json, data),
    hostRouting: json['host-routing']?.mode ?? json.routing?.['intra-host-routing-mode'] ?? null,
    masquerading: masqueradingOf(json),
    kubeProxyReplacement: json['kube-proxy-replacement']?.mode ?? null,
    encryption: encryptionOf(json, data),
    acceleration: status.acceleration,
    gateway: gatewayOf(status.json, data),
    bandwidthManager: bandwidthManagerOf(json),
    podFamilies:
      json.ipam === undefined
        ? null
        : { ipv4: (json.ipam.ipv4 ?? []).length > 0, ipv6: (json.ipam.ipv6 ?? []).length > 0 },
    devices: (status.devices ?? []).map((name) => ({
      name,
      tsoMaxSize: links.find(({ device }) => device === name)?.tsoMaxSize ?? null,
    })),
    showsIpv4: links.length === 0 ? null : links.some(({ gsoIpv4MaxSize }) => gsoIpv4MaxSize !== null),
    tunnels: links.flatMap(({ device, tsoMaxSize }) => (TUNNEL.test(device) ? [{ name: device, tsoMaxSize }] : [])),
  }
}
