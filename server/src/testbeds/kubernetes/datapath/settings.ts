/** Cilium's settings: its ConfigMap, and overrides for single nodes. */
import type { V1ConfigMap, V1Node } from '@kubernetes/client-node'
import {
  acceleration,
  lbMode,
  type Acceleration,
  type LbMode,
} from '@expresslane/shared/features/nodeport-cluster/settings'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Family } from '@expresslane/shared/measure/units'
import { z } from 'zod'
import type { Cluster } from '../api/cluster.ts'
import { hasStatus } from '../api/errors.ts'
import { CONFIG_MAP, SYSTEM_NAMESPACE } from '../api/permissions.ts'

/** Settings of Cilium's load balancer, a word each: XDP acceleration, and the way of the replies. */
export type Choice = 'acceleration' | 'mode'
export const choices: readonly Choice[] = ['acceleration', 'mode']
export type ChoiceValue = Acceleration | LbMode

/** What can be switched: BIG TCP over a family, and the load balancer's settings. */
export type Knob = Family | Choice
export const knobs: readonly Knob[] = ['ipv4', 'ipv6', ...choices]

/** The ConfigMap's keys that switch them. */
export const SETTING_KEYS: Readonly<Record<Knob, string>> = {
  ipv4: 'enable-ipv4-big-tcp',
  ipv6: 'enable-ipv6-big-tcp',
  acceleration: 'bpf-lb-acceleration',
  mode: 'bpf-lb-mode',
}

/**
 * The ConfigMap's annotation with the keys that Expresslane added, separated by commas. Switching off removes them again,
 * whichever server does it.
 */
export const ADDED_KEYS = 'expresslane/added-keys'

/** On or off for each family. */
export type FamilySetting = Readonly<Record<Family, boolean>>

/** The settings of the nodes that can be switched. */
export interface NodeSetting extends FamilySetting {
  readonly acceleration: Acceleration
  readonly mode: LbMode
}

/** The settings of the load balancer; null for a value that Expresslane does not switch. */
export interface ChoiceSetting {
  readonly acceleration: Acceleration | null
  readonly mode: LbMode | null
}

export interface StoredSettings {
  readonly intended: FamilySetting & ChoiceSetting
  /** The values verbatim; null if the key is absent, which must be restored as absent and not as `false`. */
  readonly raw: Readonly<Record<Knob, string | null>>
  /** Those whose key Expresslane added. */
  readonly added: ReadonlySet<Knob>
  readonly resourceVersion: string
  readonly map: V1ConfigMap
}

/** What Go's `strconv.ParseBool` accepts as true; Cilium reads its settings with it. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** Whether Cilium takes a value of its ConfigMap as true. */
export function isTrue(value: string | null | undefined): boolean {
  return TRUE.has(value ?? '')
}

/** The ConfigMap's key of the gateway between IPv4 and IPv6, which is read and never switched. */
export const GATEWAY_KEY = 'enable-nat46x64-gateway'

/** Without a key Cilium's default counts. */
function toChoices({ acceleration: by, mode }: Readonly<Record<Choice, string | null>>): ChoiceSetting {
  return {
    acceleration: acceleration.safeParse(by ?? 'disabled').data ?? null,
    mode: lbMode.safeParse(mode ?? 'snat').data ?? null,
  }
}

export function toSettings(map: V1ConfigMap): StoredSettings {
  const noted = new Set((map.metadata?.annotations?.[ADDED_KEYS] ?? '').split(','))
  const valueOf = (knob: Knob): string | null => map.data?.[SETTING_KEYS[knob]] ?? null
  const raw = {
    ipv4: valueOf('ipv4'),
    ipv6: valueOf('ipv6'),
    acceleration: valueOf('acceleration'),
    mode: valueOf('mode'),
  }
  return {
    // Without the key Cilium's default counts, which is off; an invalid value does not turn BIG TCP on either.
    intended: {
      ipv4: isTrue(raw.ipv4),
      ipv6: isTrue(raw.ipv6),
      ...toChoices(raw),
    },
    raw,
    // A key that somebody has removed since is no longer there to be removed.
    added: new Set(knobs.filter((of) => raw[of] !== null && noted.has(SETTING_KEYS[of]))),
    resourceVersion: map.metadata?.resourceVersion ?? '',
    map,
  }
}

/**
 * @throws LabError `testbed_unavailable` if the cluster has no Cilium; `cluster_unreachable`, `cluster_forbidden`, ...
 */
export async function readSettings(cluster: Cluster, signal: AbortSignal): Promise<StoredSettings> {
  const at = { namespace: SYSTEM_NAMESPACE, name: CONFIG_MAP }
  try {
    return toSettings(
      await cluster.request({ verb: 'get', resource: 'configmaps', ...at }, signal, (options) =>
        cluster.core.readNamespacedConfigMap(at, options),
      ),
    )
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
    throw new LabError(
      'testbed_unavailable',
      `The cluster of context ${cluster.context} has no Cilium: there is no ConfigMap ${CONFIG_MAP} in ${SYSTEM_NAMESPACE}.`,
      'Choose a cluster that runs Cilium, or install it there with the values in manifests/cilium-values.yaml.',
      { remedyCommand: `kubectl -n ${SYSTEM_NAMESPACE} get configmap ${CONFIG_MAP}`, cause: error },
    )
  }
}

const requirement = z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() })
const selector = z.object({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z.array(requirement).nullish(),
})
const nodeConfig = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ defaults: z.record(z.string(), z.string()).nullish(), nodeSelector: selector.nullish() }),
})
const nodeConfigList = z.object({ items: z.array(nodeConfig) })
export type NodeConfig = z.infer<typeof nodeConfig>

/** @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#resources-that-support-set-based-requirements */
function selects({ matchLabels, matchExpressions }: z.infer<typeof selector>, labels: Record<string, string>): boolean {
  const equal = Object.entries(matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  const holds = ({ key, operator, values }: z.infer<typeof requirement>): boolean => {
    const value = labels[key]
    switch (operator) {
      case 'In':
        return value !== undefined && (values ?? []).includes(value)
      case 'NotIn':
        return value === undefined || !(values ?? []).includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      default:
        return false
    }
  }
  return equal && (matchExpressions ?? []).every(holds)
}

/** A `CiliumNodeConfig` that names a switched setting. */
export interface Override {
  readonly name: string
  /** The nodes that it is for. */
  readonly nodes: readonly string[]
  readonly setting: Partial<NodeSetting>
  /** `enable-ipv4-big-tcp=false` */
  readonly says: string
}

/** The settings of values as they are written; unknown values are left out. */
function settingOf({ ipv4, ipv6, acceleration: by, mode: way }: Partial<Record<Knob, string>>): Partial<NodeSetting> {
  const known = toChoices({ acceleration: by ?? null, mode: way ?? null })
  return {
    ...(ipv4 === undefined ? {} : { ipv4: isTrue(ipv4) }),
    ...(ipv6 === undefined ? {} : { ipv6: isTrue(ipv6) }),
    ...(by === undefined || known.acceleration === null ? {} : { acceleration: known.acceleration }),
    ...(way === undefined || known.mode === null ? {} : { mode: known.mode }),
  }
}

/**
 * Those that name a switched setting, in the order of their names: of two for one node the later one counts
 * (`readNodeConfigs`, pkg/option/resolver of Cilium).
 */
export function toOverrides(configs: readonly NodeConfig[], nodes: readonly V1Node[]): Override[] {
  const sorted = configs.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  return sorted.flatMap(({ metadata, spec: { defaults, nodeSelector } }) => {
    const named = knobs.flatMap((of) => {
      const value = defaults?.[SETTING_KEYS[of]]
      return value === undefined ? [] : [{ of, value }]
    })
    if (named.length === 0) return []
    // Without a selector it applies to no node, with an empty one to all.
    const selected = nodes.filter((node) => nodeSelector && selects(nodeSelector, node.metadata?.labels ?? {}))
    return [
      {
        name: metadata.name,
        nodes: selected.map((node) => node.metadata?.name ?? ''),
        setting: settingOf(Object.fromEntries(named.map(({ of, value }) => [of, value]))),
        says: named.map(({ of, value }) => `${SETTING_KEYS[of]}=${value}`).join(', '),
      },
    ]
  })
}

/** What overrides the intent on this node; null for nothing. */
export function overriddenBy(
  overrides: readonly Override[],
  node: string,
  intended: Partial<StoredSettings['intended']>,
): string | null {
  const here = overrides.filter(({ nodes }) => nodes.includes(node))
  const names = knobs.flatMap((of) => {
    const last = here.findLast(({ setting }) => setting[of] !== undefined)
    return last === undefined || last.setting[of] === intended[of] ? [] : [`CiliumNodeConfig ${last.name}`]
  })
  return names.length === 0 ? null : [...new Set(names)].join(', ')
}

/** v2 exists from Cilium 1.17 on. */
const VERSIONS = ['v2', 'v2alpha1'] as const

/**
 * Empty if the cluster has no such kind.
 *
 * @throws LabError `cluster_forbidden`, `cluster_unreachable`, `tool_output_unreadable`
 */
export async function readOverrides(
  cluster: Cluster,
  nodes: readonly V1Node[],
  signal: AbortSignal,
): Promise<Override[]> {
  const at = { group: 'cilium.io', namespace: SYSTEM_NAMESPACE }
  const permission = { verb: 'list', resource: 'ciliumnodeconfigs', ...at }
  for (const version of VERSIONS) {
    try {
      const list: unknown = await cluster.request(permission, signal, (options) =>
        cluster.custom.listNamespacedCustomObject({ ...at, version, plural: permission.resource }, options),
      )
      return toOverrides(nodeConfigList.parse(list).items, nodes)
    } catch (error) {
      if (error instanceof z.ZodError) {
        throw new LabError(
          'tool_output_unreadable',
          'The CiliumNodeConfigs of the cluster could not be read.',
          'Check them; Expresslane reads versions v2 and v2alpha1.',
          { remedyCommand: `kubectl -n ${SYSTEM_NAMESPACE} get ciliumnodeconfigs -o yaml`, cause: error },
        )
      }
      if (!hasStatus(error, 404)) throw error
    }
  }
  return []
}
