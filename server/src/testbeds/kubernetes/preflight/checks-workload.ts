/** Checks of where the workload will run: its namespace and its image. */
import type { V1Namespace } from '@kubernetes/client-node'
import type { Check } from '@expresslane/shared/testbed'
import { passed, warning } from '../../check.ts'

const ENFORCE = 'pod-security.kubernetes.io/enforce'

/**
 * The pods themselves fit Pod Security's `baseline`; on the host's network they need `privileged`.
 *
 * @param namespace null while it is not there
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export function namespaceCheck(name: string, namespace: V1Namespace | null): Check {
  const id = 'namespace'
  const title = "The workload's namespace takes its pods"
  if (namespace === null) return passed(id, title, `${name} will be made.`)
  if (namespace.metadata?.deletionTimestamp !== undefined) {
    return warning(id, title, `${name} is being deleted.`, {
      remedy: 'Wait until it is gone: no pod can be made in it before.',
      remedyCommand: `kubectl wait --for=delete namespace/${name}`,
    })
  }
  const level = namespace.metadata?.labels?.[ENFORCE]
  if (level === undefined || level === 'privileged') {
    return passed(id, title, level === undefined ? name : `${name}, Pod Security ${level}`)
  }
  return warning(id, title, `${name} enforces Pod Security "${level}".`, {
    remedy: "Pods on the host's network are forbidden there, so that placement will be refused; the others work.",
    remedyCommand: `kubectl label namespace ${name} ${ENFORCE}=privileged --overwrite`,
  })
}

/** The image can only be tried by making pods; what will be used is told before. */
export function imageCheck(image: string): Check {
  return passed('image', "The workload's image", image)
}
