/** Checks of other writers of Cilium's settings: GitOps, Helm, overrides of single nodes, another Expresslane. */
import type { KubernetesObject } from '@kubernetes/client-node'
import type { Check } from '@expresslane/shared/testbed/testbed'
import type { CiliumKey } from '../../cilium-key.ts'
import { passed, warning } from '../../check.ts'
import { typedLine } from '../../typed.ts'
import { describeHolder, secondsLeft } from '../lease/holder.ts'
import type { LeaseHolder } from '../lease/lease-store.ts'
import { ownersOf } from './ownership.ts'
import { UNDO, type Override } from '../datapath/settings.ts'

/** @param objects the objects with the settings: the ConfigMap, the DaemonSet */
export function ownershipChecks(objects: readonly KubernetesObject[], keys: readonly CiliumKey[]): Check[] {
  const title = "Nothing else writes Cilium's settings"
  const owners = new Map(objects.flatMap((one) => ownersOf(one, keys)).map((owner) => [owner.name, owner]))
  if (owners.size === 0)
    return [passed('ownership', title, 'They have no labels or annotations of Argo CD, Flux or Helm.')]
  return [...owners.values()].map(({ name, undoes, remedy, remedyCommand }, index) =>
    warning(index === 0 ? 'ownership' : `ownership-${index + 1}`, title, `${name}: ${undoes}.`, {
      remedy,
      remedyCommand,
    }),
  )
}

export function overridesCheck(overrides: readonly Pick<Override, 'name' | 'nodes' | 'says'>[]): Check {
  const id = 'node-overrides'
  const title = 'No node overrides the settings that labs switch'
  const [first] = overrides
  if (first === undefined) return passed(id, title, 'No CiliumNodeConfig sets them.')
  const seen = overrides.map(
    ({ name, nodes, says }) => `CiliumNodeConfig ${name}: ${says} on ${nodes.join(', ') || 'no node'}`,
  )
  return warning(id, title, seen.join('; '), {
    remedy:
      'It overrides the ConfigMap, so a switch does not change these nodes. Remove it, or these keys of it, for the duration of the lab.',
    remedyCommand: typedLine(['kubectl', '-n', 'kube-system', 'edit', 'ciliumnodeconfig', first.name]),
  })
}

/** Null where no try of settings was interrupted, as is usual. */
export function leftCheck({ metadata }: KubernetesObject): Check | null {
  const note = metadata?.annotations?.[UNDO]
  if (note === undefined) return null
  return warning('left-settings', 'No settings are left of an interrupted try', `To undo: ${note}`, {
    remedy: 'Press Restore in the lab: it writes these values back, and restarts the agents.',
  })
}

/** @param now milliseconds since the epoch */
export function leaseCheck(holder: LeaseHolder | null, now: number): Check {
  const id = 'lease'
  const title = 'No other Expresslane is switching the cluster'
  if (holder === null || secondsLeft(holder, now) === 0) return passed(id, title, 'The lease is free.')
  return warning(id, title, `${describeHolder(holder, now)}.`, {
    remedy: 'Steps that switch it wait for the other Expresslane. Let it finish first.',
    remedyCommand: 'kubectl -n kube-system get lease expresslane -o yaml',
  })
}
