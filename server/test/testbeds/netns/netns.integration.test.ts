import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'

testbedContract(`netns, as user ${process.getuid?.()}`, () => createNetnsTestbed())
