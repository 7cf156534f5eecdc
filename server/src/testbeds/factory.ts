/** The only place that names concrete testbeds. A new kind is one line here. */
import { availableParallelism, totalmem } from 'node:os'
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { CiliumKey } from './cilium-key.ts'
import type { ClusterChecks } from './cluster-view.ts'
import { createMachineOfKernels } from './counted/kernels.ts'
import { createCountedMachine } from './counted/machine.ts'
import { createSlots, mostMachines } from './counted/slots.ts'
import { preparedMachines, releasesOf } from './counted/prepared.ts'
import { IN_CLUSTER, listContexts, requireContext } from './kubernetes/api/contexts.ts'
import type { KubernetesOptions } from './kubernetes/index.ts'
import { createNetnsTestbed } from './netns/index.ts'
import { createThisMachine, presentUser, toolPath } from './netns/this-machine/index.ts'
import { createSshMachine } from './ssh/machine.ts'
import { connectTwoHosts } from './ssh/two-hosts.ts'
import type { Testbed, TestbedFactory } from './testbed.ts'
import type { Topology } from './topology.ts'

export interface KubernetesSettings extends Omit<KubernetesOptions, 'keys' | 'checks' | 'machine'> {
  /** Without a choice, the kubeconfig's current context. */
  readonly orCurrent: boolean
  /** Whether the image lacks the labs' programs: then the pods get those of this machine. */
  readonly isBare: boolean
}

/** Takes a third of a second and 30 MB: only for servers that have a cluster. */
const loadKubernetes = () => import('./kubernetes/index.ts')
const loadPods = () => import('./kubernetes/testbed-pods/index.ts')

function kubernetesFactory(
  settings: KubernetesSettings,
  { ciliumKeys: keys, clusterChecks: checks }: OfFeatures,
): TestbedFactory {
  const contexts = () => listContexts(settings.env)
  // Sure to be used. Later it would hold others up.
  if (settings.context !== null) void loadKubernetes()
  return {
    contexts,
    needsChoice: true,
    // In a pod there is nothing to choose.
    asked: () =>
      settings.context ??
      contexts().find(({ name, current }) => name === IN_CLUSTER || (current && settings.orCurrent))?.name ??
      null,
    async make(asked) {
      const context = requireContext(settings.env, asked)
      const { createKubernetesTestbed } = await loadKubernetes()
      const programs = settings.isBare ? { machine: createThisMachine() } : {}
      return createKubernetesTestbed({ ...settings, ...programs, keys, checks, context })
    },
  }
}

/** The topologies of a machine by the context of their testbeds; null for the topology that people choose. */
export type Topologies = ReadonlyMap<string | null, Topology>

/** Testbeds that nobody has to choose first: their topology is the only choice. */
function topologiesFactory(
  topologies: Topologies,
  make: (topology: Topology, id: TestbedId) => Testbed | Promise<Testbed>,
): TestbedFactory {
  return {
    contexts: () => [],
    needsChoice: false,
    asked: () => null,
    make(context, id) {
      const topology = topologies.get(context)
      if (topology !== undefined) return make(topology, id)
      throw new LabError('not_found', 'This testbed does not exist.', 'Choose a testbed on the start page.')
    },
  }
}

/**
 * Each topology, and each participant, has a virtual machine of its own. They compute in turns, which leaves a CPU to
 * everybody else.
 *
 * @param kernel the release that its machines boot; null for the newest that is prepared
 */
function countedFactory(topologies: Topologies, kernel: string | null): TestbedFactory {
  const slots = createSlots(mostMachines(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)))
  const turns = Math.max(1, availableParallelism() - 1)
  const surroundings = { env: { PATH: toolPath(process.env['PATH']) }, user: presentUser() }
  let made = 0
  return topologiesFactory(topologies, async (topology) => {
    const turn = made % turns
    made += 1
    const machine = createMachineOfKernels(releasesOf(await preparedMachines(), kernel), (release) =>
      createCountedMachine({ ...surroundings, kernel: release ?? kernel, slots, turn }),
    )
    return createNetnsTestbed({ topology, machine })
  })
}

/** Each topology, and each participant, has a pod of its own, and a counted machine in it. */
function podsFactory(
  topologies: Topologies,
  { env, context }: Pick<KubernetesSettings, 'env' | 'context'>,
  { podsIn: namespace, countedKernel: kernel }: { readonly podsIn: string; readonly countedKernel: string | null },
): TestbedFactory {
  const loaded = loadPods()
  const pods = loaded.then(({ openTestbedPods }) => openTestbedPods({ env, context: context ?? IN_CLUSTER, namespace }))
  // An error is that of the first testbed.
  pods.then((one) => one.adopt(AbortSignal.timeout(60_000))).catch(() => {})
  return topologiesFactory(topologies, async (topology, testbed) => {
    const { createPodMachine } = await loaded
    return createNetnsTestbed({ topology, machine: createPodMachine({ pods: await pods, testbed, kernel }) })
  })
}

/** How long a connection to a host and the transfer of the labs' programs may take: 14 MB at 2 Mbit/s. */
const CONNECT_MS = 60_000

export interface SshHost {
  /** As ssh takes it. */
  readonly destination: string
  /** Its network card, where it is one of two hosts; null for the card that ssh uses. */
  readonly card: string | null
}

export interface SshSettings {
  /** A host, or two hosts with a network between them. */
  readonly hosts: readonly [SshHost] | readonly [SshHost, SshHost]
  /** The environment of ssh. */
  readonly env: Readonly<Record<string, string>>
}

/** Each topology has a connection of its own, and so namespaces of its own. Two hosts have one topology, their own. */
function sshFactory(topologies: Topologies, { hosts: [first, second], env }: SshSettings): TestbedFactory {
  const optionsOf = (host: SshHost) => ({
    ...host,
    env,
    configFile: null,
    machine: createThisMachine(),
    connectMs: CONNECT_MS,
  })
  return topologiesFactory(topologies, async (topology) => {
    const { signal } = new AbortController()
    if (second === undefined) {
      return createNetnsTestbed({ topology, machine: await createSshMachine(optionsOf(first), signal) })
    }
    return createNetnsTestbed(await connectTwoHosts([optionsOf(first), optionsOf(second)], topology, signal))
  })
}

export type TestbedFactories = ReadonlyMap<TestbedKind, TestbedFactory>

/** The parts of testbeds that features bring. */
export interface OfFeatures {
  readonly topologies: Topologies
  /** The keys of Cilium's ConfigMap that are switched on a cluster. */
  readonly ciliumKeys: readonly CiliumKey[]
  readonly clusterChecks: readonly ClusterChecks[]
}

export interface FactorySettings {
  readonly kubernetes: KubernetesSettings
  /** The release of the kernel that the counted machine boots; null for the newest that is prepared. */
  readonly countedKernel: string | null
  /** Null without a host. */
  readonly ssh: SshSettings | null
  /** The namespace of pods that have the counted machines; null for machines on this one. */
  readonly podsIn: string | null
}

export function createTestbedFactories(
  ofFeatures: OfFeatures,
  { kubernetes, countedKernel, ssh, podsIn }: FactorySettings,
): TestbedFactories {
  return new Map<TestbedKind, TestbedFactory>([
    [
      'netns',
      topologiesFactory(ofFeatures.topologies, (topology) =>
        createNetnsTestbed({ topology, machine: createThisMachine() }),
      ),
    ],
    [
      'counted',
      podsIn === null
        ? countedFactory(ofFeatures.topologies, countedKernel)
        : podsFactory(ofFeatures.topologies, kubernetes, { podsIn, countedKernel }),
    ],
    ...(ssh === null ? [] : [['ssh', sshFactory(ofFeatures.topologies, ssh)] as const]),
    // The cluster that starts everybody's testbeds is none itself: its settings are not a room's to switch.
    ...(podsIn === null ? [['kubernetes', kubernetesFactory(kubernetes, ofFeatures)] as const] : []),
  ])
}
