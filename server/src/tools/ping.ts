/** ping of iputils: one ICMP echo of a given size, or many to see their times. */

export interface Echo {
  readonly address: string
  /** The length of the whole IPv4 packet in bytes. */
  readonly packetBytes: number
  /** How long to wait for an answer. */
  readonly seconds: number
}

/** An IPv4 header, and ICMP's. */
const HEADERS = 20 + 8

/** Sends one echo over IPv4 that no router may fragment. Its exit code is 0 if it is answered. */
export function pingArgv({ address, packetBytes, seconds }: Echo): string[] {
  const options = ['-4', '-n', '-c', '1', '-W', String(seconds), '-M', 'do']
  return ['ping', ...options, '-s', String(packetBytes - HEADERS), address]
}

/**
 * - `answered`: the echo came back
 * - `too-big`: a router says that it does not fit
 * - `silent`: nothing came back
 */
export type EchoResult =
  | { readonly kind: 'answered' }
  | { readonly kind: 'too-big'; readonly from: string; readonly mtu: number }
  | { readonly kind: 'silent' }

const tooBig = /^From (\S+) icmp_seq=1 Frag needed and DF set \(mtu = (\d+)\)$/

/** Reads the output of {@link pingArgv}. @param ok whether its exit code was 0 */
export function parsePing(lines: readonly string[], ok: boolean): EchoResult {
  if (ok) return { kind: 'answered' }
  for (const line of lines) {
    const [, from, mtu] = tooBig.exec(line.trim()) ?? []
    if (from !== undefined) return { kind: 'too-big', from, mtu: Number(mtu) }
  }
  return { kind: 'silent' }
}

/** Echoes at intervals, each with a line for {@link parseEchoTime}. Its exit code is 1 if none is answered. */
export function pingsArgv(address: string, count: number, everySeconds: number): string[] {
  return ['ping', '-n', '-i', String(everySeconds), '-c', String(count), '-W', '5', address]
}

const echoTime = /icmp_seq=(\d+) .*time=([\d.]+) ms/

/** The number of an echo, from 1, and its time; null for another line. */
export function parseEchoTime(line: string): { readonly sequence: number; readonly milliseconds: number } | null {
  const [, sequence, milliseconds] = echoTime.exec(line) ?? []
  return milliseconds === undefined ? null : { sequence: Number(sequence), milliseconds: Number(milliseconds) }
}
