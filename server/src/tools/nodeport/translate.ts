/** The helper's command that translates between IPv4 and IPv6 in BPF, and its counters. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, reader } from './lines.ts'
import type { AddressPair } from '../tayga.ts'

/** A port of an IPv4 address that leads to a port of an IPv6 backend. */
export interface TranslatedService {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  readonly backend: string
  readonly backendPort: number
  /** The address that all its clients get; without it they are seen inside the prefix. */
  readonly client?: string
}

/** The translator's standard input; its README explains each field. */
export interface TranslateRules {
  readonly prefix: string
  readonly gateway?: string
  readonly masquerade?: string
  readonly pairs?: readonly AddressPair[]
  readonly services?: readonly TranslatedService[]
}

/** Attaches the program to the device's egress, and holds it until SIGTERM. Its rules are its input. Root. */
export const translateArgv = (device: string): string[] => argv('translate', { device, rules: '-' })

export const translateInput = (rules: TranslateRules): string => `${JSON.stringify(rules)}\n`

/** How its first line begins, once the program is attached. */
export const isTranslateReady = (line: string): boolean => line.startsWith('{"type":"ready"')

const counters = z.object({
  type: z.enum(['counters', 'end']),
  of: z.literal('translate'),
  /** In the map of sessions, two for each. */
  entries: count,
  counts: z.object({
    runs: count,
    toIpv6: count,
    toIpv4: count,
    errorsToIpv6: count,
    errorsToIpv4: count,
    newSessions: count,
  }),
})
export type TranslateCounters = z.infer<typeof counters>

/** Reads the answer to `counters --of translate`. */
export const parseTranslateCounters = reader(counters)
