/** The only place that names concrete testbeds. A new kind is one line here. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { TopologyName } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { IN_CLUSTER, listContexts, requireContext } from './kubernetes/api/contexts.ts'
import type { KubernetesOptions } from './kubernetes/index.ts'
import { createNetnsTestbed } from './netns/index.ts'
import { forwarder } from './netns/topologies/forwarder.ts'
import { pair } from './netns/topologies/pair.ts'
import type { Topology } from './netns/topologies/topology.ts'
import type { Testbed } from './testbed.ts'
import type { TestbedFactory } from './testbed-factory.ts'

export interface KubernetesSettings extends KubernetesOptions {
  /** Without a choice, the kubeconfig's current context. */
  readonly orCurrent: boolean
}

/** Takes a third of a second and 30 MB: only for servers that have a cluster. */
const loadKubernetes = () => import('./kubernetes/index.ts')

function kubernetesFactory(settings: KubernetesSettings): TestbedFactory {
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
      return createKubernetesTestbed({ ...settings, context })
    },
  }
}

/** The topologies of this machine by the context of their testbeds. */
const topologies = { forwarder } as const satisfies Record<TopologyName, Topology>
const topologyOf = new Map<string | null, Topology>([[null, pair], ...Object.entries(topologies)])

function makeNetns(context: string | null): Testbed {
  const topology = topologyOf.get(context)
  if (topology !== undefined) return createNetnsTestbed({ topology })
  throw new LabError('not_found', 'This testbed does not exist.', 'Choose a testbed on the start page.')
}

export type TestbedFactories = ReadonlyMap<TestbedKind, TestbedFactory>

export function createTestbedFactories(kubernetes: KubernetesSettings): TestbedFactories {
  return new Map<TestbedKind, TestbedFactory>([
    ['netns', { contexts: () => [], needsChoice: false, asked: () => null, make: makeNetns }],
    ['kubernetes', kubernetesFactory(kubernetes)],
  ])
}
