/** A report as a file: its text, type and name. */
import { csvReport } from './csv.ts'
import { htmlReport } from './html/html.ts'
import { markdownReport } from './markdown.ts'
import { inPieces, jsonPieces } from '../wire/json-pieces.ts'
import { z } from 'zod'
import type { Report } from './model.ts'

export const reportFormat = z.enum(['html', 'json', 'csv', 'md'])
export type ReportFormat = z.infer<typeof reportFormat>

export const mediaType: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  md: 'text/markdown; charset=utf-8',
}

function partsOf(report: Report, format: ReportFormat): Iterable<string> {
  switch (format) {
    case 'html':
      return htmlReport(report)
    case 'json':
      return jsonPieces(report, 2)
    case 'csv':
      return csvReport(report)
    case 'md':
      return [markdownReport(report)]
  }
}

/** The text of a report in pieces: it can be of any length. */
export function* reportPieces(report: Report, format: ReportFormat): Generator<string> {
  yield* inPieces(partsOf(report, format))
  if (format === 'json') yield '\n'
}

/**
 * `expresslane-big-tcp-ipv4-20261121-1403-4h2k.html`: the lab, the start of its first run (UTC), and the end of an id, which
 * makes the name unique.
 */
export function reportFileName({ about, lab, runs, sessions }: Report, format: ReportFormat): string {
  const [first] = runs
  const at = new Date(first?.startedAt ?? 0).toISOString().replaceAll(/\D/g, '').slice(0, 12)
  const of = about === 'session' ? sessions[0]?.id : runs.at(-1)?.id
  const words = [
    lab?.id ?? 'labs',
    ...(about === 'session' ? [] : [about]),
    `${at.slice(0, 8)}-${at.slice(8)}`,
    (of ?? '').slice(-5),
  ]
  const name = words.join('-').replaceAll(/[^a-z0-9-]+/gi, '-')
  return `expresslane-${name}.${format}`
}
