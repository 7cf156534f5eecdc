/** A server that translates at the socket, to be killed. Prints `ready` once it does. */
import { roles } from '@expresslane/shared/features/cluster-ip/places'
import { TRANSLATION } from '@expresslane/shared/features/cluster-ip/settings'
import { serviceTopology } from '../../../src/features/cluster-ip/topology.ts'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'

const testbed = netnsTestbed({ topology: serviceTopology })
await testbed.set({ [TRANSLATION]: 'socket' }, note())
await testbed.deploy({ roles }, 'other-node', note())
process.stdout.write('ready\n')
setInterval(() => {}, 1_000_000)
