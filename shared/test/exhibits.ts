/** An exhibit of each kind, and the run of a probe that found them. */
import type { RunEvent } from '../src/run/events.ts'
import type { Exhibit } from '../src/run/exhibit.ts'
import { ended, started } from './builders.ts'

type Kind<K extends Exhibit['kind']> = Extract<Exhibit, { kind: K }>

export const aTable: Kind<'table'> = {
  kind: 'table',
  title: 'What the resolver answered',
  columns: ['Asked for', 'Answer'],
  rows: [
    ['A of v4only.example', '10.4.0.2'],
    ['AAAA of v4only.example', 'fd64:ff9b::a04:2, made from the A record because there is no AAAA record'],
    ['short row'],
  ],
  more: 0,
}

export const aPage: Kind<'page'> = {
  kind: 'page',
  title: 'The page that the pod got',
  url: 'http://[fd64:ff9b::a04:2]/',
  status: 200,
  text: 'You’ve reached an IPv4-only page\nYour address: 10.99.0.2',
}

export const anAddress: Kind<'address'> = {
  kind: 'address',
  title: 'The address inside the address',
  ipv6: 'fd64:ff9b::a04:2',
  ipv4: '10.4.0.2',
  prefixBits: 96,
}

/** A UDP packet, and what the translator made of it (server/test/tools/translate/cases.json: UDP to IPv4). */
export const somePackets: Kind<'packets'> = {
  kind: 'packets',
  title: 'One packet on both sides',
  before: {
    where: 'client',
    head: '6000000000411109fd460000000000000000000000000002fd64ff9b00000000000000000a0400029c40003500412e66416e206f6464206e756d626572206f662062797465732c20736f207468617420',
  },
  after: {
    where: 'gateway',
    head: '45000055000000000a119c2e0a6300020a0400029c40003500411e4b416e206f6464206e756d626572206f662062797465732c20736f207468617420',
  },
}

export const allExhibits: readonly Exhibit[] = [aTable, aPage, anAddress, somePackets]

/** The events of a probe's run. */
export function probing(exhibits: readonly Exhibit[], stepId = 'look'): RunEvent[] {
  const outcome = { passed: true, sentence: 'The page came through.', observations: [], hint: null }
  return [
    started({ stepId }),
    ...exhibits.map((one): RunEvent => ({ type: 'exhibit.found', exhibit: one })),
    { type: 'step.checked', outcome },
    ended,
  ]
}
