import { roles } from '@expresslane/shared/features/pod-devices/roles'
import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { devices } from '../../../src/testbeds/netns/topologies/devices.ts'
import { forwarder } from '../../../src/testbeds/netns/topologies/forwarder.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'

const user = `as user ${process.getuid?.()}`

testbedContract(`netns, ${user}`, () => createNetnsTestbed())
bigTcpContract(`netns, ${user}`, () => createNetnsTestbed())
testbedContract(`netns:forwarder, ${user}`, () => createNetnsTestbed({ topology: forwarder }), {
  roles: ['client', 'forwarder', 'backend'],
})
testbedContract(`netns:devices, ${user}`, () => createNetnsTestbed({ topology: devices }), { roles })
