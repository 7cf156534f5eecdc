/**
 * A machine on which a lab's path is built, and where somebody types the commands of its steps as they stand there: each step in
 * a shell of its own, one command after the other. Prints what the shells said, as one line of JSON.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findFeature } from '@expresslane/shared/features/settings'
import { probe } from '../../src/runs/actions/probe.ts'
import { topologies } from '../../src/features/registry.ts'
import { netnsTestbed } from '../support/netns.ts'
import { performanceOn } from '../support/runs/perform.ts'
import { labs } from '../support/runs/labs.ts'

const lab = labs.find(({ id }) => id === process.argv[2])
const feature = lab === undefined ? undefined : findFeature(lab.feature)
if (lab === undefined || feature === undefined) throw new Error('there is no such lab')
const deploy = lab.steps.find(({ action }) => action?.kind === 'deploy')?.action
const arm = lab.arms.find(({ id }) => deploy?.kind === 'deploy' && id === deploy.arm)
if (arm === undefined) throw new Error('the lab builds nothing')

const context = { signal: new AbortController().signal, emit: () => {} }
const topology = topologies().get(feature.topology ?? null)
if (topology === undefined) throw new Error('the lab has no topology')
const testbed = netnsTestbed({ topology })
await testbed.set(arm.settings, context)
await testbed.deploy({ roles: feature.roles }, 'other-node', context)

const typed = []
for (const { id, commands, action } of lab.steps) {
  // A probe step's commands need the servers and pods that the probe leaves.
  if (action?.kind === 'probe') await probe(action, { ...performanceOn(testbed), lab })
  const own = commands.filter((one) => one.on === 'netns')
  // A command can start a shell, in which the next ones are typed: it reads on where the first one stopped.
  const input = own.map(({ text }) => `${text}\necho "ended with $?"\n`).join('')
  if (own.length === 0) continue
  const { stdout, stderr } = spawnSync('bash', ['-s'], {
    cwd: join(import.meta.dirname, '../../..'),
    input,
    encoding: 'utf8',
  })
  typed.push({ step: id, commands: own.length, stdout, stderr })
}
process.stdout.write(`${JSON.stringify(typed)}\n`)
await testbed.close()
