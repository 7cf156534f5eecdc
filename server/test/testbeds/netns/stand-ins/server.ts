/** A process that uses the testbed as the server does: pods deployed, a command running. Killed by its test. */
import { netnsTestbed } from '../../../support/netns.ts'
import { pair } from '../../../support/runs/pair.ts'

const testbed = netnsTestbed()
const context = { signal: new AbortController().signal, emit: () => {} }
await testbed.deploy(pair, 'other-node', context)
for await (const item of testbed.exec('client', ['sh', '-c', 'echo ready; exec sleep 1000'], context)) {
  if (item.type === 'line') process.stdout.write(`${item.text}\n`)
}
