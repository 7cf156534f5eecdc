/** The only place that names concrete testbeds. A new kind is one line here. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { TopologyName } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { createKubernetesTestbed, type KubernetesOptions } from './kubernetes/index.ts'
import { IN_CLUSTER, listContexts } from './kubernetes/api/kubeconfig.ts'
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

function kubernetesFactory(settings: KubernetesSettings): TestbedFactory {
  const contexts = () => listContexts(settings.env)
  return {
    contexts,
    needsChoice: true,
    // In a pod there is nothing to choose.
    asked: () =>
      settings.context ??
      contexts().find(({ name, current }) => name === IN_CLUSTER || (current && settings.orCurrent))?.name ??
      null,
    make: (context) => createKubernetesTestbed({ ...settings, context }),
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
