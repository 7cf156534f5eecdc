import { roles } from '@expresslane/shared/features/pod-devices/roles'
import { netnsTestbed } from '../../support/netns.ts'
import { devices } from '../../../src/features/pod-devices/topology.ts'
import { forwarder } from '../../../src/features/nodeport/topology.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'

const user = `as user ${process.getuid?.()}`

testbedContract(`netns, ${user}`, () => netnsTestbed())
bigTcpContract(`netns, ${user}`, () => netnsTestbed())
testbedContract(`netns:forwarder, ${user}`, () => netnsTestbed({ topology: forwarder }), {
  roles: ['client', 'forwarder', 'backend'],
})
testbedContract(`netns:devices, ${user}`, () => netnsTestbed({ topology: devices }), { roles })
