/** The workload's objects, from manifests/, with namespace, image and placement filled in. */
import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import type { KubernetesObject, V1Namespace, V1Pod, V1Service } from '@kubernetes/client-node'
import type { PlacementVariant, Pod } from '@expresslane/shared/testbed/placement'
import { AGENT_TAINT } from '../api/nodes.ts'
import { parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { architecture, PROGRAMS } from '../../programs/pack.ts'
import { entryAnnotations, MANAGED_BY, MANAGED_BY_US } from './pods.ts'

const FOLDER = new URL('../../../../../manifests/', import.meta.url)

async function read(file: string): Promise<KubernetesObject[]> {
  // The client library's own reader renames `from`, and sends a patch as it stands.
  const documents = [...parseAllDocuments(await readFile(new URL(file, FOLDER), 'utf8'))]
  return documents.map((document) => document.toJS() as KubernetesObject)
}

/** Cilium's operator taints a node while its agent is not ready. */
const AGENT_NOT_READY = { key: AGENT_TAINT, operator: 'Exists', effect: 'NoSchedule' } as const

/** As the API has it: the client library's type has other names. */
const netperfPolicy = z.looseObject({
  kind: z.literal('NetworkPolicy'),
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
  spec: z.looseObject({
    podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    ingress: z.tuple([z.strictObject({ from: z.array(z.unknown()) })]),
    egress: z.tuple([z.strictObject({ to: z.array(z.unknown()) })]),
  }),
})
export type NetperfPolicy = z.infer<typeof netperfPolicy>

/** The policy of any workload. */
const anyPolicy = z.looseObject({
  kind: z.literal('NetworkPolicy'),
  metadata: z.looseObject({ name: z.string(), namespace: z.string() }),
})
export type AnyPolicy = z.infer<typeof anyPolicy>

/** The objects that are applied at once. */
export interface Objects {
  readonly namespace: V1Namespace
  readonly policy: AnyPolicy
  readonly pods: readonly V1Pod[]
}

export interface Manifest extends Objects {
  /** Lets only the pods talk to each other. */
  readonly policy: NetperfPolicy
  /** Server first: the client's placement refers to it. */
  readonly pods: readonly V1Pod[]
}

export interface ManifestOptions {
  readonly namespace: string
  readonly image: string
  /** Whether the image lacks the labs' programs, so that each pod waits for them. @defaultValue false */
  readonly isBare?: boolean
  readonly variant: PlacementVariant
  /** After which time the cluster ends the pods. */
  readonly podSeconds: number
  /** Whether they are placed while their node's agent restarts. @defaultValue false */
  readonly toleratesRestart?: boolean
}

function isNamespace(object: KubernetesObject): object is V1Namespace {
  return object.kind === 'Namespace'
}

function isService(object: KubernetesObject): object is V1Service {
  return object.kind === 'Service'
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

/** Starts a command as soon as the programs are there. */
const WAIT = `until [ -e ${PROGRAMS}/digest ]; do sleep 0.1 || sleep 1; done; exec "$@"`

/** Gives a pod a place for the labs' programs. */
function makeRoom({ spec }: V1Pod): void {
  const [container] = spec?.containers ?? []
  if (spec === undefined || container === undefined) return
  spec.volumes = [{ name: 'programs', emptyDir: { sizeLimit: '128Mi' } }]
  // A pod for a certain node is refused there, without a word about the programs.
  if (spec.nodeName === undefined) spec.nodeSelector = { 'kubernetes.io/arch': architecture }
  container.volumeMounts = [{ name: 'programs', mountPath: PROGRAMS }]
  container.env = [
    { name: 'PATH', value: `${PROGRAMS}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` },
  ]
  const { command = [] } = container
  if (command[0] !== 'sleep') container.command = ['sh', '-c', WAIT, 'sh', ...command]
}

type Filled = Pick<ManifestOptions, 'namespace' | 'image' | 'isBare' | 'podSeconds'>

/** Fills in namespace and image everywhere. */
function fill(
  { namespace: space, policy, pods }: Objects,
  { namespace, image, isBare = false, podSeconds }: Filled,
): void {
  const labels = { ...space.metadata?.labels, [MANAGED_BY]: MANAGED_BY_US }
  space.metadata = Object.assign({}, space.metadata, { name: namespace, labels })
  policy.metadata.namespace = namespace
  for (const pod of pods) {
    if (pod.metadata !== undefined) pod.metadata.namespace = namespace
    if (pod.spec !== undefined) pod.spec.activeDeadlineSeconds = podSeconds
    for (const container of pod.spec?.containers ?? []) container.image = image
    if (isBare) makeRoom(pod)
  }
}

/** A backend behind a NodePort: the service belongs to the pod, so the cluster removes it when the pod goes. */
export interface ExposedManifest extends Objects {
  /** @param uid the pod's */
  readonly serviceOf: (uid: string) => V1Service
}

/**
 * The workload of a NodePort.
 *
 * @param entry the node that clients call; the pod keeps off it
 * @throws the file system's error if manifests/nodeport.yaml is missing
 */
export async function readExposedManifest(entry: Pod, filled: Filled): Promise<ExposedManifest> {
  const objects = await read('nodeport.yaml')
  const namespace = objects.find(isNamespace)
  const policy = anyPolicy.safeParse(objects.find(({ kind }) => kind === 'NetworkPolicy')).data
  const service = objects.find(isService)
  const pod = objects.find(isPod)
  if (!namespace?.metadata || !policy || !service?.metadata || !pod?.metadata || !pod.spec) {
    throw new Error('manifests/nodeport.yaml is not a backend behind a NodePort')
  }
  const whole = { namespace, policy, pods: [pod] }
  fill(whole, filled)
  pod.metadata.annotations = entryAnnotations(entry)
  const elsewhere = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: [entry.node] }
  const terms = { nodeSelectorTerms: [{ matchExpressions: [elsewhere] }] }
  pod.spec.affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } }
  const owner = { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name ?? '' }
  const { apiVersion = 'v1', kind = 'Service', spec } = service
  const { name = '', labels = {} } = service.metadata
  const metadata = { name, labels, namespace: filled.namespace }
  return {
    ...whole,
    serviceOf: (uid) => ({
      apiVersion,
      kind,
      metadata: { ...metadata, ownerReferences: [{ ...owner, uid }] },
      ...(spec === undefined ? {} : { spec }),
    }),
  }
}

/** @throws the file system's error if manifests/netperf.yaml is missing */
export async function readManifest({
  variant,
  toleratesRestart = false,
  ...filled
}: ManifestOptions): Promise<Manifest> {
  const objects = await read('netperf.yaml')
  const space = objects.find(isNamespace)
  const policy = netperfPolicy.safeParse(objects.find(({ kind }) => kind === 'NetworkPolicy')).data
  const pods = objects.filter(isPod)
  if (space?.metadata === undefined || policy === undefined || pods.length !== 2) {
    throw new Error('manifests/netperf.yaml is not the netperf pair')
  }
  fill({ namespace: space, policy, pods }, filled)
  for (const pod of pods) {
    if (pod.spec !== undefined && toleratesRestart) pod.spec.tolerations = [AGENT_NOT_READY]
    place(pod, variant)
  }
  return { namespace: space, policy, pods }
}

/**
 * The policy for pods that have their addresses. A node learns only after some seconds who a pod of another node is, and
 * until then knows just its address: with labels alone the pod's packets would be dropped for so long.
 */
export function policyFor(policy: NetperfPolicy, addresses: readonly string[]): NetperfPolicy {
  const blocks = addresses.map((address) => ({ ipBlock: { cidr: `${address}/${isIPv6(address) ? 128 : 32}` } }))
  const { spec } = policy
  const [{ from }] = spec.ingress
  const [{ to }] = spec.egress
  return {
    ...policy,
    spec: { ...spec, ingress: [{ from: [...from, ...blocks] }], egress: [{ to: [...to, ...blocks] }] },
  }
}

export interface CaptureOptions {
  readonly namespace: string
  readonly image: string
  readonly isBare?: boolean
  readonly name: string
  readonly node: string
}

/** The pod of manifests/capture.yaml on a node. @throws the file system's error if the file is missing */
export async function readCapturePod(options: CaptureOptions): Promise<V1Pod> {
  const pod = (await read('capture.yaml')).find(isPod)
  const [container] = pod?.spec?.containers ?? []
  if (pod?.metadata === undefined || pod.spec === undefined || container === undefined) {
    throw new Error('manifests/capture.yaml is not a pod')
  }
  const { namespace, image, isBare = false, name, node } = options
  Object.assign(pod.metadata, { name, namespace })
  pod.spec.nodeName = node
  container.image = image
  if (isBare) makeRoom(pod)
  return pod
}

/** The command that applies these objects. */
export function typedApply(objects: readonly KubernetesObject[]): string {
  const yaml = objects.map((object) => stringify(object).trimEnd()).join('\n---\n')
  return `kubectl apply --server-side --force-conflicts --field-manager=expresslane -f - <<'EOF'\n${yaml}\nEOF`
}
