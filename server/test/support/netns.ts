/** Testbeds of network namespaces as the server makes them: with a feature's topology, and with the features' settings. */
import { pair } from '../../src/features/big-tcp/topology.ts'
import { withFeatures } from '../../src/features/with-features.ts'
import { createNetnsTestbed, type NetnsOptions } from '../../src/testbeds/netns/index.ts'
import { createThisMachine } from '../../src/testbeds/netns/this-machine/index.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'

/** @param options the topology is that of two pods on two nodes unless another one is given */
export function netnsTestbed(options: Partial<NetnsOptions> = {}): Testbed {
  return withFeatures(createNetnsTestbed({ topology: pair, machine: createThisMachine(), ...options }))
}
