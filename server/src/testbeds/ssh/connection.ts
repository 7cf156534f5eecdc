/** The agent on a host that the system's OpenSSH reaches, in namespaces of its own: no file of the host is written. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Duplex, Transform } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { nodeportProgram } from '../../tools/nodeport/argv.ts'
import { connectAgent, MOST_SILENCE, type ConnectOptions, type Wire } from '../agent/connect.ts'
import type { Place } from '../agent/place.ts'
import { packPrograms, processor, type ProgramsMachine } from '../programs/pack.ts'

/** Every Linux has this folder, and the agent's mount namespace hides what is in it. */
const FOLDER = '/mnt'
const HELPER = `${FOLDER}/${basename(nodeportProgram)}`
const agentProgram = fileURLToPath(new URL(`../../../native/bin/agent-${process.arch}`, import.meta.url))
const TOOL_PATH = `${FOLDER}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/** Programs of labs that many hosts lack, and pods never need. */
const also = ['nft', 'ethtool']

/** Comes before the agent's first frame: a login can print a greeting before it. */
const MARK = 'expresslane agent\n'

/** Errors show the last part of the output of ssh and of the host, so many characters. */
const WORDS_KEPT = 4000
/** Between the end of the agent's input and SIGKILL for ssh. */
const GRACE_MS = 5_000

/**
 * No password is asked for, nothing is forwarded, and a host that does not answer for 15 seconds is gone. All else is the
 * person's own configuration: names, keys, jumps (ssh_config(5)). The connection is no part of theirs, which would keep it,
 * or end with it.
 */
const sshOptions = [
  'BatchMode=yes',
  'ClearAllForwardings=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ConnectTimeout=15',
  'ServerAliveInterval=5',
  'ServerAliveCountMax=3',
  'ControlMaster=no',
  'ControlPath=none',
  'RemoteCommand=none',
].flatMap((option) => ['-o', option])

export interface HostOptions extends ConnectOptions {
  /** As ssh takes it: `user@host`, or a name of the configuration. */
  readonly destination: string
  /** A configuration of ssh in place of the person's own (`ssh -F`); null for the person's own. */
  readonly configFile: string | null
  /** The environment of ssh: where its configuration and its agent are. */
  readonly env: Readonly<Record<string, string>>
  /** Whose programs the host gets. */
  readonly machine: ProgramsMachine
  /** Labs run in the host's own network, which takes root; `alone`: no other server does. @defaultValue in an empty network */
  readonly inItsNetwork?: 'shared' | 'alone'
}

export interface Host extends Place {
  /** The path of the helper on the host. */
  readonly helper: string
}

/**
 * A batch of `ip` that restores the network of a host whose own network is used. It runs when the agent has ended, for
 * whatever reason.
 */
export const RESTORE = `${FOLDER}/restore`

/** Programs in memory, which the agent's processes see, and the shell that waits for its end. */
function unpack(size: number): string {
  return `mount -t tmpfs tmpfs ${FOLDER} && head -c ${size} | tar -xzf - -C ${FOLDER}`
}

/** The agent in a network of its own, which ends with it. */
function inEmptyNetwork(size: number, agent: string): string[] {
  return [
    'user=$([ "$(id -u)" = 0 ] || echo "--user --map-root-user")',
    `echo ${MARK.trim()}`,
    `exec unshare $user --net --mount --pid --fork --kill-child sh -c "${unpack(size)} && exec ${agent}"`,
  ]
}

/** The agent in the host's network. @param alone with a lock, which ends with the last process that has it */
function inHostsNetwork(size: number, agent: string, alone: boolean): string[] {
  const run = `${unpack(size)} && unshare --mount --pid --fork --kill-child ${agent}`
  const restore = `[ ! -s ${RESTORE} ] || ${FOLDER}/bin/ip -batch ${RESTORE}`
  return [
    '[ "$(id -u)" = 0 ] || { echo "Only root may use a network card: log in as root." >&2; exit 1; }',
    ...(alone
      ? [
          'exec 9</proc/self/ns/net',
          'flock -n 9 || { echo "Another Expresslane changes the network of this host." >&2; exit 1; }',
        ]
      : []),
    `echo ${MARK.trim()}`,
    // The shell outlives a connection that is cut.
    `exec unshare --mount sh -c "trap : HUP INT PIPE TERM; ${run}; ${restore}"`,
  ]
}

/**
 * The shell's command on the host. Root gets no user namespace, because in one its BPF programs are not allowed. The
 * shell of the person's account reads it, so there is no single quote in it.
 *
 * @param size of the archive in bytes, which comes before the agent's first frame
 * @param mostSilence in seconds
 */
function command(size: number, mostSilence: number, inItsNetwork: HostOptions['inItsNetwork']): string {
  const agent = `${FOLDER}/agent stdio ${mostSilence}`
  const script = [
    `[ "$(uname -m)" = ${processor} ] || { echo "The processor is $(uname -m)." >&2; exit 1; }`,
    ...(inItsNetwork === undefined
      ? inEmptyNetwork(size, agent)
      : inHostsNetwork(size, agent, inItsNetwork === 'alone')),
  ].join('; ')
  return `exec sh -c '${script}'`
}

async function archiveOf(machine: ProgramsMachine): Promise<Buffer> {
  const files = new Map([
    ['agent', await readFile(agentProgram)],
    [basename(HELPER), await readFile(nodeportProgram)],
  ])
  return (await packPrograms(machine, { at: FOLDER, also, files })).archive
}

function goneError(destination: string, detail: string): LabError {
  return new LabError(
    'testbed_gone',
    `The connection to ${destination} ended while it was in use. Everything that ran there has ended.`,
    'If the lab has a Deploy step, run it again. Then run this step again.',
    { detail },
  )
}

/** Why there is no agent: ssh itself ends with 255. */
function notReachedError(destination: string, code: number | null, detail: string): LabError {
  if (code === 255) {
    return new LabError(
      'testbed_unavailable',
      `ssh does not reach ${destination}.`,
      'Read the message of ssh below, and try the connection yourself:',
      {
        remedyCommand: `ssh ${destination} true`,
        detail,
      },
    )
  }
  return /unshare.*(not permitted|denied)|user namespaces/i.test(detail)
    ? new LabError(
        'namespaces_denied',
        `${destination} does not let this user create network namespaces.`,
        'Log in as root there, or allow user namespaces (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns).',
        { detail },
      )
    : new LabError(
        'testbed_unavailable',
        `The labs’ agent does not start on ${destination}.`,
        'Read the message of the host below, and mend its cause there.',
        {
          detail,
        },
      )
}

function noSshError(cause: Error): LabError {
  return new LabError('tool_missing', 'ssh is not installed here.', 'Install the OpenSSH client, then try again.', {
    cause,
  })
}

/** Passes on the bytes after the mark. @param onGreeting called with the chunks before it */
function afterMark(onGreeting: (text: string) => void): Transform {
  let seen: Buffer | null = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (seen === null) {
        done(null, chunk)
        return
      }
      const all: Buffer = Buffer.concat([seen, chunk])
      const at = all.indexOf(MARK)
      seen = at < 0 ? all.subarray(-WORDS_KEPT) : null
      if (at < 0) onGreeting(chunk.toString('utf8'))
      done(null, at < 0 ? undefined : all.subarray(at + MARK.length))
    },
  })
}

/** Ends ssh: the agent's input ends first, so that it can end what runs. */
async function endOf(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.stdin?.end()
  const kill = (): void => {
    child.kill('SIGKILL')
    // A jump's process can have them, too.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  const timer = setTimeout(kill, GRACE_MS)
  await ended
  clearTimeout(timer)
}

/**
 * Connects to a host and starts the agent there.
 *
 * @throws LabError `tool_missing` without ssh or without programs for the host; `testbed_unavailable`, `namespaces_denied`,
 *   `deadline_exceeded`; `signal.reason`. Nothing runs on the host by then
 */
export async function connectHost(options: HostOptions, signal: AbortSignal): Promise<Host> {
  const { destination, configFile, env, machine, connectMs, mostSilence = MOST_SILENCE, inItsNetwork } = options
  const archive = await archiveOf(machine)
  signal.throwIfAborted()
  const own = configFile === null ? [] : ['-F', configFile]
  const argv = ['-T', ...own, ...sshOptions, '--', destination, command(archive.length, mostSilence, inItsNetwork)]
  const child = spawn('ssh', argv, { env, stdio: 'pipe' })
  let words = ''
  const keep = (text: string): void => {
    words = (words + text).slice(-WORDS_KEPT)
  }
  child.stderr.on('data', (chunk: Buffer) => keep(chunk.toString('utf8')))
  let unstarted: LabError | null = null
  child.once('error', (cause) => {
    unstarted = noSshError(cause)
  })
  const closed = once(child, 'close').catch(() => [null])
  const whyEnded = async () => {
    const [code]: (number | null)[] = await closed
    return {
      unmet: unstarted ?? notReachedError(destination, code ?? null, words),
      gone: goneError(destination, words),
    }
  }
  child.stdin.on('error', () => {})
  const readable = child.stdout.pipe(afterMark(keep))
  const wire: Wire = {
    name: destination,
    stream: Duplex.from({ readable, writable: child.stdin }),
    ended: whyEnded(),
    words: () => words,
    close: () => endOf(child, closed),
  }
  child.stdin.write(archive)
  const agent = await connectAgent(wire, { connectMs, mostSilence }, signal)
  return {
    ...agent,
    name: destination,
    toolPath: TOOL_PATH,
    helper: HELPER,
    busy: () => () => {},
    goOn: () => {},
    close: wire.close,
  }
}
