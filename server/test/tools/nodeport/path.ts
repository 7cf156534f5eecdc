/**
 * Client - node - backend in three network namespaces of their own, for the NodePort helper: as root, or as an ordinary
 * user in a user namespace. Nothing of it is seen outside, and it ends with its holder.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { deviceArgv, nodeportProgram } from '../../../src/tools/nodeport/argv.ts'

export type Place = 'client' | 'node' | 'backend'

export const clientAddresses = { ipv4: '10.9.1.1', ipv6: 'fd00:9:1::1' } as const
/** A second client, which answers for no address: it has a neighbour entry alone. */
export const otherClient = { ipv4: '10.9.1.3', ipv6: 'fd00:9:1::3' } as const
export const nodeAddresses = { ipv4: '10.9.1.2', ipv6: 'fd00:9:1::2' } as const
export const masquerade = { ipv4: '10.9.2.2', ipv6: 'fd00:9:2::2' } as const
export const backendAddresses = { ipv4: '10.9.2.1', ipv6: 'fd00:9:2::1' } as const
export const macs = {
  client: '02:00:00:00:01:01',
  node: '02:00:00:00:01:02',
  out: '02:00:00:00:02:02',
  backend: '02:00:00:00:02:01',
}

const NOBODY = 65_534

const ends = [
  { place: 'client', device: 'c0', mac: macs.client, own: clientAddresses },
  { place: 'node', device: 'n0', mac: macs.node, own: nodeAddresses },
  { place: 'node', device: 'n1', mac: macs.out, own: masquerade },
  { place: 'backend', device: 'b0', mac: macs.backend, own: backendAddresses },
] as const

const neighbours = [
  { place: 'client', device: 'c0', mac: macs.node, of: [nodeAddresses] },
  { place: 'node', device: 'n0', mac: macs.client, of: [clientAddresses, otherClient] },
  { place: 'node', device: 'n1', mac: macs.backend, of: [backendAddresses] },
  { place: 'backend', device: 'b0', mac: macs.out, of: [masquerade] },
] as const

const pair = (a: (typeof ends)[number], b: (typeof ends)[number]): string =>
  `ip link add ${a.device} netns ${a.place} address ${a.mac} type veth peer name ${b.device} netns ${b.place} address ${b.mac}`

const script = [
  'set -e',
  'mount -t tmpfs tmpfs /run',
  ...['client', 'node', 'backend'].flatMap((place) => [`ip netns add ${place}`, `ip -n ${place} link set lo up`]),
  pair(ends[0], ends[1]),
  pair(ends[2], ends[3]),
  ...ends.flatMap(({ place, device, own }) => [
    `ip -n ${place} addr add ${own.ipv4}/24 dev ${device}`,
    `ip -n ${place} addr add ${own.ipv6}/64 dev ${device} nodad`,
    `ip -n ${place} link set ${device} up`,
  ]),
  ...neighbours.flatMap(({ place, device, mac, of }) =>
    of
      .flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6])
      .map((address) => `ip -n ${place} neigh add ${address} dev ${device} lladdr ${mac} nud permanent`),
  ),
  "ip netns exec node sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'",
  'read -r pid rest </proc/self/stat',
  'echo "$pid"',
  'read -r rest',
].join('\n')

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
}

export interface Running {
  readonly pid: number
  readonly stdin: NodeJS.WritableStream
  /** The program's lines so far. */
  readonly stdout: readonly string[]
  /** Resolves to the nth line that the program prints, from 0 on. */
  line(n: number): Promise<string>
  readonly ended: Promise<Ended>
  end(signal?: NodeJS.Signals): Promise<Ended>
}

export interface Path {
  start(place: Place, argv: readonly string[], input?: string): Running
  run(place: Place, argv: readonly string[], input?: string): Promise<Ended>
}

function watch(child: ChildProcess): Running {
  const { pid, stdin } = child
  if (pid === undefined || stdin === null) throw new Error('it was not started')
  const stdout: string[] = []
  const stderr: string[] = []
  const waiting = new Map<number, (line: string) => void>()
  if (child.stdout === null || child.stderr === null) throw new Error('it has no pipes')
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.get(stdout.push(line) - 1)?.(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line))
  stdin.on('error', () => {})
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }))
  return {
    pid,
    stdin,
    stdout,
    ended,
    async line(n) {
      const there = stdout[n]
      if (there !== undefined) return there
      const { promise, resolve } = Promise.withResolvers<string>()
      waiting.set(n, resolve)
      const early = ended.then(() => {
        throw new Error(`it ended before line ${n}: ${[...stdout, ...stderr].join('\n')}`)
      })
      return await Promise.race([promise, early])
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return await ended
    },
  }
}

/** Makes the path. @param finished gets what ends it, with all that runs in it: `onTestFinished` */
export async function openPath(as: 'root' | 'user', finished: (end: () => Promise<void>) => void): Promise<Path> {
  const isUser = as === 'user'
  const ids = isUser && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-nodeport-'))
  const program = join(folder, 'nodeport')
  copyFileSync(nodeportProgram, program)
  for (const path of [folder, program]) chmodSync(path, 0o755)
  const started: Running[] = []
  const spawned = (argv: readonly string[]): Running => {
    const [file = '', ...args] = argv
    const running = watch(spawn(file, args, { cwd: '/', stdio: ['pipe', 'pipe', 'pipe'], ...ids }))
    started.push(running)
    return running
  }
  finished(async () => {
    await Promise.all(started.map((running) => running.end('SIGKILL')))
    rmSync(folder, { recursive: true, force: true })
  })
  const user = isUser ? ['--user', '--map-root-user'] : []
  const holder = spawned([
    'unshare',
    ...user,
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    script,
  ])
  const pid = await holder.line(0)

  const enter = (place: Place): string[] => [
    'nsenter',
    ...(isUser ? [`--user=/proc/${pid}/ns/user`, '--preserve-credentials'] : []),
    `--net=/proc/${pid}/root/run/netns/${place}`,
  ]
  const path: Path = {
    start(place, [file = '', ...args], input) {
      const running = spawned([...enter(place), file === nodeportProgram ? program : file, ...args])
      if (input !== undefined) running.stdin.end(input)
      return running
    },
    async run(place, argv, input = '') {
      return await path.start(place, argv, input).ended
    },
  }
  for (const { place, device } of ends) {
    const { code, stderr } = await path.run(place, deviceArgv(device, { gro: true, txChecksum: false }))
    if (code !== 0) throw new Error(stderr.join('\n'))
  }
  return path
}
