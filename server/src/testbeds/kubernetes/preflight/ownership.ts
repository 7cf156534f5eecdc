/** Other writers of Cilium's settings: a change by hand lasts until the next sync. */
import type { KubernetesObject } from '@kubernetes/client-node'
import type { CiliumKey } from '../../cilium-key.ts'

export interface Owner {
  /** `Argo CD application cilium`, `Helm release cilium`. */
  readonly name: string
  /** The event that undoes a change made by hand. */
  readonly undoes: string
  readonly remedy: string
  readonly remedyCommand: string
}

function argo(id: string): Owner {
  // A tracking id is NAME:GROUP/KIND:NAMESPACE/NAME.
  const application = id.split(':')[0] ?? id
  return {
    name: `Argo CD application ${application}`,
    undoes: 'a sync with self-heal reverts the flags during a lab',
    remedy: 'Pause its automatic sync for the duration of the lab, or set the flags in its source.',
    remedyCommand: `argocd app set ${application} --sync-policy none`,
  }
}

function flux(kind: 'kustomization' | 'helmrelease', name: string, namespace: string): Owner {
  return {
    name: `Flux ${kind} ${namespace}/${name}`,
    undoes: 'a reconciliation reverts the flags during a lab',
    remedy: 'Suspend it for the duration of the lab, or set the flags in its source.',
    remedyCommand: `flux suspend ${kind} ${name} -n ${namespace}`,
  }
}

function helm(release: string, namespace: string, keys: readonly CiliumKey[]): Owner {
  const values = keys.flatMap(({ chart }) => chart ?? []).join(',')
  return {
    name: `Helm release ${release}`,
    undoes: "the next `helm upgrade` resets the flags to the chart's values",
    remedy: 'Do not run Helm during the lab. To keep what a lab switches on, set it in the values of the chart.',
    remedyCommand: `helm -n ${namespace} upgrade ${release} cilium/cilium --reuse-values${values === '' ? '' : ` --set ${values}`}`,
  }
}

/**
 * The tools that mark the object as theirs: Argo CD, Flux, Helm.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/
 * @see https://helm.sh/docs/topics/charts_tips_and_tricks/
 */
export function ownersOf({ metadata }: KubernetesObject, keys: readonly CiliumKey[]): Owner[] {
  const labels = metadata?.labels ?? {}
  const annotations = metadata?.annotations ?? {}
  const owners: Owner[] = []
  const tracked = annotations['argocd.argoproj.io/tracking-id'] ?? labels['argocd.argoproj.io/instance']
  if (tracked !== undefined) owners.push(argo(tracked))
  for (const [kind, prefix] of [
    ['kustomization', 'kustomize.toolkit.fluxcd.io'],
    ['helmrelease', 'helm.toolkit.fluxcd.io'],
  ] as const) {
    const name = labels[`${prefix}/name`]
    if (name !== undefined) owners.push(flux(kind, name, labels[`${prefix}/namespace`] ?? 'flux-system'))
  }
  const release = annotations['meta.helm.sh/release-name']
  if (release !== undefined || labels['app.kubernetes.io/managed-by'] === 'Helm') {
    owners.push(helm(release ?? 'cilium', annotations['meta.helm.sh/release-namespace'] ?? 'kube-system', keys))
  }
  return owners
}
