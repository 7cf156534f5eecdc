/** Describes where a lab runs. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { ClusterFacts, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { testbedName } from './format.ts'

/** The version that all of them have; null if they differ. A version of `null` is unknown. */
function common(versions: readonly (string | null)[]): string | null {
  const known = new Set(versions.filter((version) => version !== null))
  return known.size > 1 ? null : ([...known][0] ?? i18n.t('unknown'))
}

/** `1.15.19`, `versions differ`, `unknown`. */
export function ciliumVersion({ nodes }: ClusterFacts): string {
  return common(nodes.map(({ cilium }) => cilium)) ?? i18n.t('versions differ')
}

/** `6.18`, `kernels differ`, `unknown`. @param inSentence `kernel 6.18` */
export function kernelWords({ kernel, cluster }: TestbedFacts, inSentence = false): string {
  const nodes = cluster?.nodes ?? []
  const version = common(nodes.length === 0 ? [kernel] : nodes.map((node) => node.kernel))
  if (version === null) return i18n.t('kernels differ')
  return inSentence ? i18n.t('kernel {version}', { version }) : version
}

/** `this machine`, `kernel 6.18`; for a cluster its versions, too. */
export function environmentWords(id: TestbedId, view: Pick<TestbedView, 'facts'> | null): string[] {
  const facts = view?.facts ?? null
  const cluster = facts?.cluster ?? null
  const name = testbedName(id, cluster?.context ?? null)
  if (facts === null) return [name]
  if (cluster === null) return [name, kernelWords(facts, true)]
  return [
    name,
    `Kubernetes ${cluster.kubernetes.replace(/^v/, '')}`,
    i18n.t('Cilium {version}', { version: ciliumVersion(cluster) }),
    kernelWords(facts, true),
  ]
}
