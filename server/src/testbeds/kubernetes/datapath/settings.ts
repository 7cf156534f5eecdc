/** Cilium's settings: its ConfigMap, and overrides for single nodes. */
import type { V1ConfigMap, V1Node } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import type { CiliumKey, KeyValues } from '../../cilium-key.ts'
import type { Cluster } from '../api/cluster.ts'
import { hasStatus } from '../api/errors.ts'
import { CONFIG_MAP, SYSTEM_NAMESPACE } from '../api/permissions.ts'

/**
 * The ConfigMap's annotation with the keys that Expresslane added, separated by commas. Switching off removes them again,
 * whichever server does it.
 */
export const ADDED_KEYS = 'expresslane/added-keys'

/** The ConfigMap's annotation with the data that undoes a try of settings, as JSON, for as long as the try lasts. */
export const UNDO = 'expresslane/undo'

/** The ConfigMap's annotation by which an administrator lets Expresslane break an agent for a try. */
export const MAY_BREAK = 'expresslane/may-break'

/** The keys that are switched, as the ConfigMap has them. */
export interface StoredSettings {
  readonly keys: readonly CiliumKey[]
  /** By key; null for a value that Expresslane does not switch. */
  readonly intended: Readonly<Record<string, string | null>>
  /** The values verbatim; null if the key is absent, which must be restored as absent and not as the value for off. */
  readonly raw: Readonly<Record<string, string | null>>
  /** The keys that Expresslane added. */
  readonly added: ReadonlySet<string>
  readonly map: V1ConfigMap
}

/** A value that the key can have; null for any other text. */
function valueIn({ values, parse }: CiliumKey, text: string): string | null {
  const value = parse?.(text) ?? text
  return values.includes(value) ? value : null
}

export function toSettings(map: V1ConfigMap, keys: readonly CiliumKey[]): StoredSettings {
  const noted = new Set((map.metadata?.annotations?.[ADDED_KEYS] ?? '').split(','))
  const raw = Object.fromEntries(keys.map(({ key }) => [key, map.data?.[key] ?? null] as const))
  return {
    keys,
    // Without the key Cilium's default counts.
    intended: Object.fromEntries(keys.map((one) => [one.key, valueIn(one, raw[one.key] ?? one.values[0])])),
    raw,
    // A key that somebody has removed since is no longer there to be removed.
    added: new Set(keys.map(({ key }) => key).filter((key) => raw[key] !== null && noted.has(key))),
    map,
  }
}

/**
 * @throws LabError `testbed_unavailable` if the cluster has no Cilium; `cluster_unreachable`, `cluster_forbidden`, ...
 */
export async function readSettings(cluster: Cluster, signal: AbortSignal): Promise<StoredSettings> {
  const at = { namespace: SYSTEM_NAMESPACE, name: CONFIG_MAP }
  try {
    const map = await cluster.request({ verb: 'get', resource: 'configmaps', ...at }, signal, (options) =>
      cluster.core.readNamespacedConfigMap(at, options),
    )
    return toSettings(map, cluster.keys)
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
  readonly setting: KeyValues
  /** `bpf-lb-mode=dsr` */
  readonly says: string
}

/**
 * The configurations that name a switched setting, in the order of their names: of two for one node the later one counts
 * (`readNodeConfigs`, pkg/option/resolver of Cilium).
 */
export function toOverrides(
  configs: readonly NodeConfig[],
  nodes: readonly V1Node[],
  keys: readonly CiliumKey[],
): Override[] {
  const sorted = configs.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  return sorted.flatMap(({ metadata, spec: { defaults, nodeSelector } }) => {
    const named = keys.flatMap((of) => {
      const text = defaults?.[of.key]
      return text === undefined ? [] : [{ key: of.key, text, value: valueIn(of, text) }]
    })
    if (named.length === 0) return []
    // Without a selector it applies to no node, with an empty one to all.
    const selected = nodes.filter((node) => nodeSelector && selects(nodeSelector, node.metadata?.labels ?? {}))
    return [
      {
        name: metadata.name,
        nodes: selected.map((node) => node.metadata?.name ?? ''),
        setting: Object.fromEntries(named.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]))),
        says: named.map(({ key, text }) => `${key}=${text}`).join(', '),
      },
    ]
  })
}

/** The configuration that overrides the intent on this node; null for none. */
export function overriddenBy(
  overrides: readonly Override[],
  node: string,
  intended: StoredSettings['intended'],
): string | null {
  const here = overrides.filter(({ nodes }) => nodes.includes(node))
  const names = Object.entries(intended).flatMap(([key, value]) => {
    const last = here.findLast(({ setting }) => setting[key] !== undefined)
    return last === undefined || last.setting[key] === value ? [] : [`CiliumNodeConfig ${last.name}`]
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
      return toOverrides(nodeConfigList.parse(list).items, nodes, cluster.keys)
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
