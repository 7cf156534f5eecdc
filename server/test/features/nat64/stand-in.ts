/** A server with a translator on its gateway, to be killed. Prints `ready` once client and server reach each other. */
import { roles } from '@expresslane/shared/features/nat64/roles'
import { TRANSLATOR } from '@expresslane/shared/features/nat64/settings'
import { translator } from '@expresslane/shared/features/nat64/translators'
import { withDrivers } from '../../../src/features/drivers.ts'
import { driver } from '../../../src/features/nat64/driver.ts'
import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { gateway } from '../../../src/testbeds/netns/topologies/gateway.ts'
import { note } from '../../contract/contract-kit.ts'

const testbed = withDrivers(createNetnsTestbed({ topology: gateway }), [driver])
await testbed.set({ [TRANSLATOR]: translator.parse(process.argv[2]) }, note())
await testbed.deploy({ roles }, 'other-node', note())
process.stdout.write('ready\n')
setInterval(() => {}, 1_000_000)
