/** `ip link`: reading devices and setting their packet sizes. */
import type { Link } from '@expresslane/shared/testbed/reading'
import { bytes, type Bytes } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readOutput, unreadable, type Described } from './read-output.ts'

const count = z.number().int().nonnegative()
const side = z.object({ bytes, packets: count })

/** XDP_ATTACHED_DRV and XDP_ATTACHED_HW (include/uapi/linux/if_link.h): the device runs the program itself. */
const NATIVE_MODES: ReadonlySet<number> = new Set([1, 3])
const xdp = z.object({ mode: count, prog: z.object({ name: z.string().default('') }).optional() })

/** An element as `ip -d -s -j link` prints it; an older `ip` leaves attributes out. */
const printedLink = z.object({
  ifindex: count.optional(),
  link_index: count.optional(),
  ifname: z.string(),
  mtu: bytes,
  gso_max_size: bytes.optional(),
  gro_max_size: bytes.optional(),
  gso_ipv4_max_size: bytes.optional(),
  gro_ipv4_max_size: bytes.optional(),
  tso_max_size: bytes.optional(),
  gso_max_segs: count.optional(),
  stats64: z.object({ rx: side, tx: side }).optional(),
  linkinfo: z.object({ info_kind: z.string().optional() }).optional(),
  xdp: xdp.optional(),
})

/** An element that a filter left out is printed as `{}`. */
const printedLinks = z.array(z.union([printedLink, z.strictObject({}).transform(() => null)]))

/** Details, statistics, JSON: of one device, or of all. */
export function linkShowArgv(device?: string): string[] {
  const all = ['ip', '-d', '-s', '-j', 'link', 'show']
  return device === undefined ? all : [...all, 'dev', device]
}

function toLink(printed: z.infer<typeof printedLink>): Link {
  const { stats64, xdp: attached } = printed
  return {
    device: printed.ifname,
    mtu: printed.mtu,
    gsoMaxSize: printed.gso_max_size ?? null,
    groMaxSize: printed.gro_max_size ?? null,
    gsoIpv4MaxSize: printed.gso_ipv4_max_size ?? null,
    groIpv4MaxSize: printed.gro_ipv4_max_size ?? null,
    tsoMaxSize: printed.tso_max_size ?? null,
    counters:
      stats64 === undefined
        ? null
        : {
            rxPackets: stats64.rx.packets,
            txPackets: stats64.tx.packets,
            rxBytes: stats64.rx.bytes,
            txBytes: stats64.tx.bytes,
          },
    ...(attached === undefined
      ? {}
      : { xdp: { mode: NATIVE_MODES.has(attached.mode) ? 'native' : 'generic', program: attached.prog?.name ?? '' } }),
  }
}

const output: Described = {
  name: 'The output of `ip link`',
  remedy: 'Check that `ip -j link` prints JSON on this machine; iproute2 6.3 or newer is needed.',
}

/** A device with the numbers that identify both ends of a veth pair. */
export interface NumberedLink {
  readonly link: Link
  /** Its number in its namespace; null if `ip` did not print it. */
  readonly index: number | null
  /** The number of the other end in its namespace; null if that is the same number, or if there is no other end. */
  readonly peerIndex: number | null
  /** `veth`; null for a network card. */
  readonly kind: string | null
  /** How many segments a packet that it sends can have; null if `ip` did not print it. */
  readonly gsoMaxSegs: number | null
}

/**
 * Reads the output of {@link linkShowArgv}, with the devices' numbers.
 *
 * @throws LabError `tool_output_unreadable` when it is truncated or not the JSON of links
 */
export function parseNumberedLinks(text: string): NumberedLink[] {
  return readOutput(printedLinks, text, output).flatMap((one) =>
    one === null
      ? []
      : [
          {
            link: toLink(one),
            index: one.ifindex ?? null,
            peerIndex: one.link_index ?? null,
            kind: one.linkinfo?.info_kind ?? null,
            gsoMaxSegs: one.gso_max_segs ?? null,
          },
        ],
  )
}

/** As {@link parseNumberedLinks}, without the numbers. */
export function parseLinks(text: string): Link[] {
  return parseNumberedLinks(text).map(({ link }) => link)
}

/** The devices of every namespace, in one command. */
export function linkShowAllArgv(): string[] {
  return ['ip', '-all', 'netns', 'exec', ...linkShowArgv()]
}

/**
 * Reads the output of {@link linkShowAllArgv}: a line `netns: NAME` before each namespace's JSON.
 *
 * @returns namespace -> its devices
 * @throws LabError `tool_output_unreadable`
 */
export function parseLinksByNamespace(lines: readonly string[]): Map<string, Link[]> {
  const found = new Map<string, Link[]>()
  let namespace: string | null = null
  for (const line of lines) {
    const header = /^netns: (\S+)/.exec(line)
    if (header?.[1] !== undefined) namespace = header[1]
    else if (line.trim() !== '') {
      if (namespace === null) throw unreadable(output, line)
      found.set(namespace, [...(found.get(namespace) ?? []), ...parseLinks(line)])
    }
  }
  return found
}

/** The sizes for a device; null leaves IPv4 out, for a tool or kernel that does not know it. */
export interface Sizes {
  readonly ipv6: Bytes
  readonly ipv4: Bytes | null
}

/** Input of `ip -batch -`: the packets of a device are no larger than its MTU. */
export const singlePackets = (device: string): string => `link set dev ${device} gso_max_segs 1\n`

/**
 * The attributes that set all sizes of a device, send and receive. IPv6 comes first: writing
 * `gso_max_size` <= 65536 overwrites `gso_ipv4_max_size` too (the kernel's legacy coupling).
 */
export function sizeAttributes({ ipv6, ipv4 }: Sizes): string[] {
  const six = ['gso_max_size', String(ipv6), 'gro_max_size', String(ipv6)]
  return ipv4 === null ? six : [...six, 'gso_ipv4_max_size', String(ipv4), 'gro_ipv4_max_size', String(ipv4)]
}
