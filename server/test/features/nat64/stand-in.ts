/** A server with a translator on its gateway, to be killed. Prints `ready` once the lab's probe has asked for names there. */
import { translator } from '@expresslane/shared/features/nat64/translators'
import { probe } from '../../../src/runs/actions/probe.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { gateway } from '../../../src/features/nat64/topology.ts'
import { labs } from '../../support/runs/labs.ts'
import { performanceOn } from '../../support/runs/perform.ts'

const lab = labs.find(({ id }) => id === 'nat64')
if (lab === undefined) throw new Error('the lab is gone')
const testbed = netnsTestbed({ topology: gateway })
const arms = [translator.parse(process.argv[2])]
const { passed, sentence } = await probe({ kind: 'probe', probe: 'names', arms }, { ...performanceOn(testbed), lab })
if (!passed) throw new Error(sentence)
process.stdout.write('ready\n')
setInterval(() => {}, 1_000_000)
