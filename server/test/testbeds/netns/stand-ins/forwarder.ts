/** A process that uses a node between client and backend as the server does, with a hook that forwards. Killed by its test. */
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { netnsTestbed } from '../../../support/netns.ts'
import { deviceArgv } from '../../../../src/tools/nodeport/argv.ts'
import { parseDevice } from '../../../../src/tools/nodeport/lines.ts'
import { forwarder } from '../../../../src/features/nodeport/topology.ts'

const testbed = netnsTestbed({ topology: forwarder })
const context = { signal: new AbortController().signal, emit: () => {} }
await testbed.set({ [NODEPORT_HOOK]: process.argv[2] ?? 'nftables' }, context)
await testbed.deploy({ roles: ['client', 'forwarder', 'backend'] }, 'other-node', context)
// Reads the programs on the node's device, then starts a command that keeps running.
// An ordinary user may not ask for tcx programs, and has none.
const place = process.getuid?.() === 0 ? 'net:forwarder' : 'forwarder'
const ids: number[] = []
for await (const item of testbed.exec(place, deviceArgv('eth0'), context)) {
  if (item.type === 'exit' || item.stream === 'stderr') continue
  const { xdp, tcx, tc } = parseDevice(item.text)
  for (const one of [...(xdp === null ? [] : [xdp]), ...(tcx ?? []), ...tc]) ids.push(one.programId)
}
for await (const item of testbed.exec('client', ['sh', '-c', 'echo ready; exec sleep 1000'], context)) {
  if (item.type === 'line') process.stdout.write(`${JSON.stringify(ids)}\n`)
}
