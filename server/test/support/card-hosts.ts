/** Two network namespaces as hosts, each with an ssh server and a network card: the two cards are one veth pair. */
import { execFileSync } from 'node:child_process'
import { withFeatures } from '../../src/features/with-features.ts'
import { createNetnsTestbed } from '../../src/testbeds/netns/index.ts'
import { createThisMachine } from '../../src/testbeds/netns/this-machine/index.ts'
import { connectTwoHosts, type CardOptions } from '../../src/testbeds/ssh/two-hosts.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import type { Topology } from '../../src/testbeds/topology.ts'
import { createSshHosts } from './ssh-hosts.ts'

/** Not the kernel's default: a restored card shows it. */
export const OWN_SIZE = 61_440

export function ip(...words: readonly string[]): string {
  return execFileSync('ip', words, { encoding: 'utf8' })
}

export interface Wanted {
  /** @defaultValue `eth1` */
  readonly card?: string | null
  /** In seconds. */
  readonly mostSilence?: number
  readonly topology: Topology
}

export interface CardHosts {
  /** The network namespaces of the hosts a and b. Their cards are `eth1`; a bridge `alone` reaches nothing. */
  readonly networks: readonly [string, string]
  open(wanted: Wanted): Promise<Testbed>
  /** The ids of the processes of ssh to a host. */
  sshTo(host: 'a' | 'b'): number[]
  remove(): Promise<void>
}

/** @param name of the network namespaces, which nobody else has at the same time */
export async function createCardHosts(name: string): Promise<CardHosts> {
  const networks = [`${name}-a`, `${name}-b`] as const
  const [a, b] = networks
  for (const network of networks) {
    ip('netns', 'add', network)
    ip('-n', network, 'link', 'set', 'lo', 'up')
  }
  ip('link', 'add', 'eth1', 'netns', a, 'type', 'veth', 'peer', 'name', 'eth1', 'netns', b)
  for (const network of networks) {
    ip('-n', network, 'link', 'set', 'eth1', 'gso_max_size', `${OWN_SIZE}`, 'up')
    ip('-n', network, 'link', 'add', 'alone', 'type', 'bridge')
    ip('-n', network, 'link', 'set', 'alone', 'up')
  }
  const enter = (network: string): { enter: string[] } => ({ enter: ['ip', 'netns', 'exec', network] })
  const hosts = await createSshHosts({ a: enter(a), b: enter(b), 'me@b': enter(b) })
  const optionsOf = (destination: string, { card = 'eth1', mostSilence }: Wanted): CardOptions => ({
    destination,
    card,
    configFile: hosts.configFile,
    env: { PATH: process.env['PATH'] ?? '' },
    machine: createThisMachine(),
    connectMs: 120_000,
    ...(mostSilence === undefined ? {} : { mostSilence }),
  })
  return {
    networks,
    async open(wanted) {
      const both = [optionsOf('a', wanted), optionsOf('b', wanted)] as const
      return withFeatures(
        createNetnsTestbed(await connectTwoHosts(both, wanted.topology, new AbortController().signal)),
      )
    },
    sshTo(host) {
      const found = execFileSync('sh', ['-c', `pgrep -f -- "^ssh -T -F ${hosts.configFile} .* -- ${host} " || true`])
      return found.toString().split('\n').filter(Boolean).map(Number)
    },
    async remove() {
      await hosts.remove()
      for (const network of networks) ip('netns', 'del', network)
    },
  }
}
