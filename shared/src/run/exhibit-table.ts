/** Exhibits as tables, for a report and a terminal. Pure. */
import { i18n } from '../base/language.ts'
import { addressParts, type PartKind } from '../measure/ip/embedded.ts'
import { changeNames, compareHeaders, fieldName, type HeaderChange } from '../measure/ip/header-changes.ts'
import { bytesOfHex } from '../measure/packet.ts'
import { assertNever } from '../base/errors.ts'
import type { Exhibit } from './exhibit.ts'

type Kind<K extends Exhibit['kind']> = Extract<Exhibit, { kind: K }>

export interface ExhibitTable {
  readonly title: string
  readonly columns: readonly string[]
  /** Each with as many cells as there are columns. */
  readonly rows: readonly (readonly string[])[]
  /** A sentence below it; null for none. */
  readonly note: string | null
}

/** The note for a capture that ends inside the headers. */
export const CUT_OFF = /*i18n*/ 'The headers of these packets were not captured whole.'

export const partNames: Readonly<Record<PartKind, string>> = {
  prefix: /*i18n*/ 'prefix',
  ipv4: /*i18n*/ 'IPv4 address',
  zero: /*i18n*/ 'always 0',
}

/** How an answer of HTTP is named. @param status null if no answer came */
export function statusWords(status: number | null): string {
  return status === null ? i18n.t('no answer') : `HTTP ${status}`
}

/** How many rows a table leaves out. @param more at least 1 */
export function moreWords(more: number): string {
  return more === 1 ? i18n.t('One more row is not shown.') : i18n.t('{more} more rows are not shown.', { more })
}

/** The changes to a packet, field by field. @returns null if a capture ends inside the headers */
export function packetChanges({ before, after }: Kind<'packets'>): readonly HeaderChange[] | null {
  const [first, second] = [bytesOfHex(before.head), bytesOfHex(after.head)]
  return first === null || second === null ? null : compareHeaders(first, second)
}

function packetsTable(of: Kind<'packets'>): ExhibitTable {
  const changes = packetChanges(of)
  const columns = [i18n.t('Field'), of.before.where, of.after.where, i18n.t('What happened')]
  const rows = (changes ?? []).map((change) => {
    const { kind, before, after, why } = change
    const name = i18n.t(changeNames[kind])
    const what = why === null ? name : `${name}: ${why}`
    return [fieldName(change), before?.value ?? '–', after?.value ?? '–', what]
  })
  return { title: of.title, columns, rows, note: changes === null ? i18n.t(CUT_OFF) : null }
}

function addressTable({ title, ipv6, ipv4, prefixBits }: Kind<'address'>): ExhibitTable {
  const parts = addressParts(ipv6, prefixBits) ?? []
  const means = { prefix: i18n.t('{count} bits', { count: prefixBits }), ipv4, zero: '' } as const
  return {
    title,
    columns: [i18n.t('Part'), i18n.t('In the IPv6 address'), i18n.t('Means')],
    rows: [
      [i18n.t('whole address'), parts.length === 0 ? ipv6 : parts.map(({ text }) => text).join(''), ipv6],
      ...parts.map(({ kind, text }) => [i18n.t(partNames[kind]), text.replace(/:$/, ''), means[kind]]),
    ],
    note: null,
  }
}

/** Any exhibit as a table of words. */
export function exhibitTable(of: Exhibit): ExhibitTable {
  switch (of.kind) {
    case 'table': {
      const { title, columns, more } = of
      const rows = of.rows.map((row) => columns.map((_, place) => row[place] ?? ''))
      return { title, columns, rows, note: more === 0 ? null : moreWords(more) }
    }
    case 'page':
      return {
        title: of.title,
        columns: [i18n.t('Address'), i18n.t('Answer'), i18n.t('Page')],
        rows: [[of.url, statusWords(of.status), of.text]],
        note: null,
      }
    case 'address':
      return addressTable(of)
    case 'packets':
      return packetsTable(of)
    default:
      return assertNever(of)
  }
}
