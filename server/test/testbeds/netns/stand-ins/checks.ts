/** Prints the preflight's checks as JSON, for a test that starts it where something is refused. */
import { netnsTestbed } from '../../../support/netns.ts'

const testbed = netnsTestbed()
const checks = []
for await (const check of testbed.preflight({ signal: new AbortController().signal, emit: () => {} }))
  checks.push(check)
await testbed.close()
process.stdout.write(JSON.stringify(checks))
