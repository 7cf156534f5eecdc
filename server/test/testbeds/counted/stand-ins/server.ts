/** A process that uses the counted machine as the server does, and is killed by its test. It prints QEMU's process id. */
import { machineHere } from '../here.ts'

const machine = machineHere({ booted: ({ pid }) => void process.stdout.write(`${pid}\n`) })
const child = await machine.start({ argv: ['sleep', '1000'], onLine: () => {} })
await child.closed
