/**
 * tcpdump: its argv, and a reader of its output. It describes BIG TCP packets differently by version and family
 * (`bad-len 0` over IPv4, `HBH` over IPv6), so only time, length and bytes are read.
 */
import { bytesOfHex } from '@expresslane/shared/measure/packet'

/** Enough for Ethernet, IPv6 with a hop-by-hop header, and TCP with all options. */
const SNAP_BYTES = 128
const NETPERF_CONTROL_PORT = 12_865

/** Prints the packets that pass a device and a filter, as they arrive. @param filter a word each; empty for all packets */
export function tcpdumpArgv(device: string, filter: readonly string[]): string[] {
  const output = ['-n', '-tt', '-l', '--immediate-mode', '-e', '-s', String(SNAP_BYTES), '-xx']
  return ['tcpdump', '-i', device, ...output, ...filter]
}

/**
 * The packets of a host, except for netperf's control connection. A filter for `tcp` would miss BIG TCP over IPv6, where a
 * hop-by-hop header comes first.
 */
export function dataFilter(address: string): string[] {
  return ['host', address, 'and', 'not', 'port', String(NETPERF_CONTROL_PORT)]
}

/** A packet on a device, starting with its link-level header. */
export interface CapturedFrame {
  /** Microseconds since the Unix epoch. */
  readonly at: number
  /** The length as the kernel carried it, including the link-level header. */
  readonly length: number
  /** Its first bytes. */
  readonly bytes: Uint8Array
}

/** Does this line on stderr report that tcpdump is capturing? */
export function isWatching(line: string): boolean {
  return /(^|: )listening on /.test(line)
}

/** Does this line contain a packet's bytes? */
export function isHexLine(line: string): boolean {
  return /^\s+0x[0-9a-f]{4}:/.test(line)
}

const packetLine = /^(\d{1,12})\.(\d{6}) .*?, length (\d{1,9}): /
const hexLine = /^\s+0x[0-9a-f]{4}:\s+((?:[0-9a-f]{2,4} ?)+)\s*$/

/** Reads its stdout line by line. */
export function createTcpdumpReader(): { read(line: string): CapturedFrame | null } {
  let head: { at: number; length: number } | null = null
  let hex = ''
  return {
    /** Reads a line. @returns a frame, if the line completes one */
    read(line) {
      const begun = packetLine.exec(line)
      if (begun !== null) {
        const [, seconds, micros, length] = begun
        head = { at: Number(seconds) * 1e6 + Number(micros), length: Number(length) }
        hex = ''
        return null
      }
      const more = hexLine.exec(line)?.[1]
      if (more === undefined || head === null) return null
      hex += more.replaceAll(' ', '')
      if (hex.length / 2 < Math.min(SNAP_BYTES, head.length)) return null
      const bytes = bytesOfHex(hex)
      const frame = bytes === null ? null : { ...head, bytes }
      head = null
      return frame
    },
  }
}
