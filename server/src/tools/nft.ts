/** `nft`: the table that the NodePort rules are in, its counters, and its map of NodePorts. */
import type { Family } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readOutput, unreadable, type Described } from './read-output.ts'

export type NftFamily = 'ip' | 'ip6'
export const nftFamily: Readonly<Record<Family, NftFamily>> = { ipv4: 'ip', ipv6: 'ip6' }

export const NFT_TABLE = 'kube-proxy'
/** protocol . NodePort : the chain of its service. */
export const NFT_NODEPORTS = 'service-nodeports'
/** The counters of the measured service's rules by protocol, and of all other rules together. */
export const nftCounter = { tcp: 'measured-tcp', udp: 'measured-udp', others: 'others' } as const

/** Loads a ruleset from standard input, as one transaction. */
export const nftLoadArgv = ['nft', '-f', '-']
/** Loads texts from standard input that NUL separates, each as a transaction of its own. */
export const nftLoadPartsArgv = ['xargs', '-0', '-n', '1', 'nft']

/** The named counters of all tables. */
export const nftCountersArgv = ['nft', '-j', 'list', 'counters']
/** These and the tables, in one answer each. */
export const nftCountersAndTablesArgv = ['nft', '-j', 'list counters; list tables']

export function nftNodePortsArgv(of: Family): string[] {
  return ['nft', '-j', 'list', 'map', nftFamily[of], NFT_TABLE, NFT_NODEPORTS]
}

const counter = z.object({
  counter: z.object({
    family: z.string(),
    table: z.string(),
    name: z.string(),
    packets: z.number().int().nonnegative(),
  }),
})
const table = z.object({ table: z.object({ family: z.string(), name: z.string() }) })
const map = z.object({ map: z.object({ name: z.string(), elem: z.array(z.unknown()).default([]) }) })

const answer = z.object({ nftables: z.array(z.unknown()) })
const output: Described = {
  name: 'The output of `nft -j`',
  remedy: 'Check that `nft -j list tables` prints JSON on this machine.',
}

/** The objects of one kind in the answers, of which each is a line. @throws LabError `tool_output_unreadable` */
function objects<T>(text: string, kind: z.ZodType<T>): T[] {
  const answers = text.split('\n').filter((line) => line !== '')
  return answers
    .flatMap((line) => readOutput(answer, line, output).nftables)
    .flatMap((one) => {
      const { data } = kind.safeParse(one)
      return data === undefined ? [] : [data]
    })
}

/** The counters of the NodePort rules in one family, by name; null if there are no such rules. */
export function parseNftCounters(text: string, of: Family): Readonly<Record<string, number>> | null {
  const found = objects(text, counter)
    .map((one) => one.counter)
    .filter((one) => one.family === nftFamily[of] && one.table === NFT_TABLE)
  return found.length === 0 ? null : Object.fromEntries(found.map(({ name, packets }) => [name, packets]))
}

/** The packets of one counter of a table of both families; null if there is none. */
export function parseNamedCounter(text: string, of: string, name: string): number | null {
  const found = objects(text, counter).find(
    ({ counter: one }) => one.family === 'inet' && one.table === of && one.name === name,
  )
  return found?.counter.packets ?? null
}

/** The names of the tables in one family. */
export function parseNftTables(text: string, of: Family): string[] {
  return objects(text, table).flatMap((one) => (one.table.family === nftFamily[of] ? [one.table.name] : []))
}

/** How many NodePorts the map of {@link nftNodePortsArgv} has. */
export function parseNftNodePorts(text: string): number {
  const found = objects(text, map)[0]
  if (found === undefined) throw unreadable(output, text)
  return found.map.elem.length
}
