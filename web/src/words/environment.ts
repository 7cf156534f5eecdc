/** Describes where a lab runs. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { ClusterFacts, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { testbedName } from './format.ts'

/** `Cilium 1.15.19`, `Cilium versions differ`, `Cilium unknown`: `null` is unknown. */
function common(what: string, values: readonly (string | null)[], differ: string): string {
  const known = new Set(values.filter((value) => value !== null))
  if (known.size > 1) return differ
  return `${what} ${[...known][0] ?? 'unknown'}`
}

export function ciliumWords({ nodes }: ClusterFacts): string {
  return common(
    i18n.t('Cilium'),
    nodes.map(({ cilium }) => cilium),
    i18n.t('Cilium versions differ'),
  )
}

export function kernelWords({ kernel, cluster }: TestbedFacts): string {
  const kernels = cluster === null || cluster.nodes.length === 0 ? [kernel] : cluster.nodes.map((node) => node.kernel)
  return common('kernel', kernels, 'kernels differ')
}

/** `this machine`, `kernel 6.18`; for a cluster its versions, too. */
export function environmentWords(id: TestbedId, view: Pick<TestbedView, 'facts'> | null): string[] {
  const facts = view?.facts ?? null
  const cluster = facts?.cluster ?? null
  const name = testbedName(id, cluster?.context ?? null)
  if (facts === null) return [name]
  if (cluster === null) return [name, kernelWords(facts)]
  return [
    name,
    i18n.t('Kubernetes {value}', { value: cluster.kubernetes.replace(/^v/, '') }),
    ciliumWords(cluster),
    kernelWords(facts),
  ]
}
