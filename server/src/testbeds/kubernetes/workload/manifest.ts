/** The workload's objects: those of manifests/netperf.yaml, with namespace, image and placement put in. */
import { readFile } from 'node:fs/promises'
import { dumpYaml, loadAllYaml, type KubernetesObject, type V1Namespace, type V1Pod } from '@kubernetes/client-node'
import type { PlacementVariant } from '@expresslane/shared/testbed'
import { MANAGED_BY, MANAGED_BY_US } from './pods.ts'

const FILE = new URL('../../../../../manifests/netperf.yaml', import.meta.url)

export interface Manifest {
  readonly namespace: V1Namespace
  /** Server first: the client's placement refers to it. */
  readonly pods: readonly V1Pod[]
}

export interface ManifestOptions {
  readonly namespace: string
  readonly image: string
  readonly variant: PlacementVariant
}

function isNamespace(object: KubernetesObject): object is V1Namespace {
  return object.kind === 'Namespace'
}

function isPod(object: KubernetesObject): object is V1Pod {
  return object.kind === 'Pod'
}

/** Puts the pods on one node, or into the nodes' own network. */
function place(pod: V1Pod, variant: PlacementVariant): void {
  const { spec } = pod
  if (spec === undefined) return
  if (variant === 'same-node' && spec.affinity?.podAntiAffinity !== undefined) {
    spec.affinity = { podAffinity: spec.affinity.podAntiAffinity }
  }
  if (variant === 'host-network') {
    spec.hostNetwork = true
    spec.dnsPolicy = 'ClusterFirstWithHostNet'
  }
}

/** @throws the file system's error where manifests/netperf.yaml is not there */
export async function readManifest({ namespace, image, variant }: ManifestOptions): Promise<Manifest> {
  const objects = loadAllYaml(await readFile(FILE, 'utf8')) as KubernetesObject[]
  const space = objects.find(isNamespace)
  const pods = objects.filter(isPod)
  if (space?.metadata === undefined || pods.length !== 2) {
    throw new Error('manifests/netperf.yaml is not the netperf pair')
  }
  Object.assign(space.metadata, { name: namespace, labels: { ...space.metadata.labels, [MANAGED_BY]: MANAGED_BY_US } })
  for (const pod of pods) {
    if (pod.metadata !== undefined) pod.metadata.namespace = namespace
    for (const container of pod.spec?.containers ?? []) container.image = image
    place(pod, variant)
  }
  return { namespace: space, pods }
}

/** What a person would type to apply these very objects. */
export function typedApply({ namespace, pods }: Manifest): string {
  const yaml = [namespace, ...pods].map((object) => dumpYaml(object).trimEnd()).join('\n---\n')
  return `kubectl apply --server-side --force-conflicts --field-manager=expresslane -f - <<'EOF'\n${yaml}\nEOF`
}
