/** Terminals in the namespaces of a holder. An agent in them has the terminals: Node has none. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { nodeportProgram } from '../../../tools/nodeport/argv.ts'
import { connectAgent, MOST_SILENCE } from '../../agent/connect.ts'
import { createOpened } from '../../agent/opened.ts'
import type { Place } from '../../agent/place.ts'
import { terminalIn } from '../../agent/processes.ts'
import type { Machine, NamespaceHolder } from '../../machine/machine.ts'
import { requireProgram } from '../commands/programs.ts'
import { boundedArgv, confinedWith } from './confined.ts'
import type { User } from './user.ts'

const agentProgram = fileURLToPath(new URL(`../../../../native/bin/agent-${process.arch}`, import.meta.url))

/** A package of each of the set-up's folders. */
const named = ['bash', 'ip', 'netperf', 'iperf3', 'tcpdump', 'nft', 'iptables', 'curl', 'ping', 'ipvsadm', 'ethtool']

interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: User | null
}

function endedError(detail: string): LabError {
  return new LabError('testbed_gone', 'The terminals of this testbed have ended.', 'Open the terminal again.', {
    detail,
  })
}

/** Starts the agent where the holder's commands run, as their user. */
async function openAgent(
  { enter }: Pick<NamespaceHolder, 'enter'>,
  { name, toolPath, commandMs }: Machine,
  { env, user }: Surroundings,
  signal: AbortSignal,
): Promise<Place> {
  const [program = '', ...argv] = enter(boundedArgv([agentProgram, 'stdio', `${MOST_SILENCE}`]))
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  const child = spawn(program, argv, { env, cwd: '/', stdio: 'pipe', ...ids })
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-1000)
  })
  child.stdin.on('error', () => {})
  const closed = once(child, 'close').catch((error: unknown) => {
    words = String(error)
  })
  const wire = {
    name,
    stream: Duplex.from({ readable: child.stdout, writable: child.stdin }),
    ended: closed.then(() => ({ unmet: endedError(words), gone: endedError(words) })),
    words: () => words,
    async close() {
      child.stdin.end()
      await closed
    },
  }
  const agent = await connectAgent(wire, { connectMs: commandMs }, signal)
  return { ...agent, name, toolPath, busy: () => () => {}, goOn: () => {}, close: wire.close }
}

/** The terminals of a holder; nothing happens before the first. They end with the holder, or by `close`. */
export function createTerminals(
  holder: Pick<NamespaceHolder, 'enter'>,
  machine: Machine,
  surroundings: Surroundings,
): { readonly open: NamespaceHolder['terminal']; close(): Promise<void> } {
  const agents = createOpened(
    (signal) => openAgent(holder, machine, surroundings, signal),
    () => endedError(''),
  )
  return {
    async open(start) {
      await requireProgram('bwrap', machine)
      const found = (await Promise.all(named.map((name) => machine.findProgram(name)))).filter((path) => path !== null)
      const programs = [...found, nodeportProgram]
      const place = await agents.running()
      return terminalIn({ ...place, confine: confinedWith(programs) }, start)
    },
    close: agents.end,
  }
}
