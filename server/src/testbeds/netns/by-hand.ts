/** Finds what people changed by hand: the configuration of a testbed, against that of a testbed built again as it is set. */
import { z } from 'zod'
import type { HandChange } from '../testbed.ts'
import type { Site } from './network/network.ts'

/** Everything that a terminal can change in a network namespace besides its devices. A missing program prints nothing. */
const script = `
ip -o address show
ip -o -4 route show table all
ip -o -6 route show table all
ip -o -4 rule show
ip -o -6 rule show
ip -o neighbour show nud permanent
tc qdisc show
nft list ruleset
iptables-save
ip6tables-save
grep -rs '' /proc/sys/net
`
/** The exit code of the last program says nothing. */
const showAll = ['sh', '-c', `{ ${script} } 2>/dev/null; true`]
const showLinks = ['ip', '-j', '-d', 'link', 'show']

/** Lines that the kernel adds and counts by itself: link-local and multicast addresses, counters and secrets. */
const own = [/\b(fe80|ff00)::/, /^\/proc\/sys\/net\/\S*(conntrack_count|stable_secret|fastopen_key|\/flush):/, /^#/]
/** Numbers that differ between two builds, states that follow the device at the other end, and counters. */
const volatile = [
  /^\d+: /,
  /\b(iif|valid_lft|preferred_lft|expires) \S+/,
  /\b(tentative|linkdown|dadfailed)\b/,
  /\[\d+:\d+\]/,
  /\bpackets \d+ bytes \d+/,
]

const word = z.union([z.string(), z.number()]).optional()

/** The words of a device's configuration, without its state. */
const links = z.array(
  z
    .looseObject({
      ifname: z.string(),
      flags: z.array(z.string()),
      linkinfo: z.looseObject({ info_kind: z.string().optional() }).optional(),
      mtu: word,
      txqlen: word,
      master: word,
      gso_max_size: word,
      gro_max_size: word,
      gso_ipv4_max_size: word,
      gro_ipv4_max_size: word,
      xdp: z.unknown().optional(),
    })
    .transform(({ ifname, flags, linkinfo, xdp, ...link }): string[] => {
      const { mtu, txqlen, master, gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size } = link
      const values = { mtu, txqlen, master, gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size }
      return [
        `${ifname} is a device of the kind ${linkinfo?.info_kind ?? 'loopback'}`,
        `${ifname} is ${flags.includes('UP') ? 'up' : 'down'}`,
        ...Object.entries(values).flatMap(([name, value]) =>
          value === undefined ? [] : [`${ifname} ${name} ${value}`],
        ),
        ...(xdp === undefined ? [] : [`${ifname} has a program at XDP`]),
      ]
    }),
)

function normal(line: string): string {
  const text = volatile.reduce((rest, pattern) => rest.replace(pattern, ''), line)
  return text.replaceAll(/[\s\\]+/g, ' ').trim()
}

/** The lines of each place. */
export type Configuration = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the nodes and the wire; pods must be gone. @throws LabError of the testbed; `signal.reason` */
export async function readConfiguration({ console, entrance, topology, context }: Site): Promise<Configuration> {
  const { nodes, standing } = topology
  const places = [...new Set([...nodes, ...(standing === null ? [] : [standing.wire.namespace])])]
  const quiet = { signal: context.signal, emit: () => {} }
  const read = async (where: string): Promise<readonly [string, ReadonlySet<string>]> => {
    const run = (argv: readonly string[]) => console.run({ where, argv }, quiet, entrance.inside(where))
    const [devices, lines] = await Promise.all([run(showLinks), run(showAll)])
    const others = lines.filter((line) => !own.some((pattern) => pattern.test(line))).map(normal)
    return [
      where,
      new Set([...links.parse(JSON.parse(devices.join(''))).flat(), ...others.filter((line) => line !== '')]),
    ]
  }
  return new Map(await Promise.all(places.map(read)))
}

/** @param found with the changes @param built again, without them */
export function changesIn(found: Configuration, built: Configuration): HandChange[] {
  return [...built].flatMap(([where, before]) => {
    const lines = found.get(where) ?? new Set()
    const added = [...lines].filter((line) => !before.has(line))
    const removed = [...before].filter((line) => !lines.has(line))
    return [
      ...added.map((line) => ({ where, change: 'added', line }) as const),
      ...removed.map((line) => ({ where, change: 'removed', line }) as const),
    ]
  })
}
