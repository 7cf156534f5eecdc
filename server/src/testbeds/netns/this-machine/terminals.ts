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
import { confinedArgv } from './confined.ts'
import type { User } from './user.ts'

const agentProgram = fileURLToPath(new URL(`../../../../native/bin/agent-${process.arch}`, import.meta.url))

/** A package of each of the set-up's folders. */
const programs = ['bash', 'ip', 'netperf', 'iperf3', 'tcpdump', 'nft', 'iptables', 'curl', 'ping', 'ipvsadm', 'ethtool']

interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: User | null
}

function endedError(detail: string): LabError {
  return new LabError('testbed_gone', 'The terminals of this testbed have ended.', 'Open the terminal again.', {
    detail,
  })
}

/**
 * The holder's /proc shows the host's processes, and bwrap looks for its own there; its /sys shows the host's devices, and
 * `ip -n` needs one. Namespaces that are named later appear in the new mount namespace, too.
 */
const ownSys = 'mount -t sysfs sysfs /sys && exec "$@"'
const withProcAndSys = ['unshare', '--propagation', 'slave', '--mount-proc', 'sh', '-c', ownSys, 'terminals']

/** Starts the agent where the holder's commands run, as their user. */
async function openAgent(
  { enter }: Pick<NamespaceHolder, 'enter'>,
  { name, toolPath, commandMs }: Machine,
  { env, user }: Surroundings,
  signal: AbortSignal,
): Promise<Place> {
  const [program = '', ...argv] = enter([...withProcAndSys, agentProgram, 'stdio', `${MOST_SILENCE}`])
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
      const found = (await Promise.all(programs.map((name) => machine.findProgram(name)))).filter(
        (path) => path !== null,
      )
      const confine = (argv: readonly string[]): string[] => confinedArgv(argv, [...found, nodeportProgram])
      return terminalIn(await agents.running(), start, confine)
    },
    close: agents.end,
  }
}
