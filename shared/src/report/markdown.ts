/** A report as Markdown: short, for an issue or a chat. */
import { intervalWords, verdictName } from '../compare/words.ts'
import { formatNamed, metricOf, toolName } from '../features/metrics.ts'
import { ACROSS_CLOCKS, acrossClocks, anyCounted, COUNTED_TITLE, countedNotes } from '../measure/counted-words.ts'
import { formatChange } from '../base/units.ts'
import type { Report, ReportComparison } from './model.ts'
import { exhibitTable } from '../run/exhibit-table.ts'
import { discardedWords } from '../run/discarded.ts'
import { outcomeName, type Outcome } from '../run/events.ts'
import { takenIn } from '../run/run-state.ts'
import { capitalized } from '../features/words.ts'
import { countsOf, formatInstant, judgedWords, opinionSummary, opinionWords, rowVerdict } from './words.ts'

/** The invisible space that keeps `@name` and `#1` from notifying people and linking issues. */
const APART = '\u200b'

/** Text inside a line or a table's cell: nothing in it is markup, mentions anybody, or ends the line. */
export function plainMarkdown(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]<>()|~&!$]/g, String.raw`\$&`)
    .replaceAll(/[@#]/g, `$&${APART}`)
    .replaceAll('://', String.raw`\://`)
    .trim()
    .replace(/^[-+=]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
}

/** @param others how the columns after the first are aligned. @defaultValue as figures */
function table(head: readonly string[], rows: readonly (readonly string[])[], others: '---' | '---:' = '---:'): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = head.map((_, place) => (place === 0 ? '---' : others))
  return [head, rule, ...rows].map(line).join('\n')
}

function comparisonPart(one: ReportComparison): string {
  const { title, comparison, differences, caution } = one
  const { off, on, rows, sentence, technical, verdict } = comparison
  const figures = table(
    ['Median', plainMarkdown(off.name), plainMarkdown(on.name), 'Change', '95 % interval', 'Verdict'],
    rows.map((row) => [
      metricOf(row.metric).name,
      formatNamed(row.metric, row.off),
      formatNamed(row.metric, row.on),
      formatChange(row.changePercent),
      intervalWords(row),
      rowVerdict(row),
    ]),
  )
  const conditions = differences.map(({ label, was, is }) => `${label}: ${was} → ${is}`)
  const unlike = [...(caution === null ? [] : [caution]), ...conditions].map((each) => `- ${plainMarkdown(each)}`)
  return [
    `## ${plainMarkdown(title)}: ${verdictName[verdict]}`,
    plainMarkdown(sentence),
    plainMarkdown(opinionWords(one)),
    figures,
    judgedWords(comparison),
    `${plainMarkdown(capitalized(off.name))}: ${countsOf(off)}. ${plainMarkdown(capitalized(on.name))}: ${countsOf(on)}. ${plainMarkdown(technical)}`,
    ...(unlike.length === 0 ? [] : [`**Measured under different conditions:**\n\n${unlike.join('\n')}`]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function environmentPart({ runs }: Report): string {
  const prints = runs.flatMap((run) => takenIn(run).flatMap(({ fingerprint }) => fingerprint ?? []))
  const lines = prints.map(
    ({ name, kernel, os, cpu, versions }) =>
      `${name}, kernel ${kernel}, ${os}, ${cpu.count} × ${cpu.model}, ${Object.entries(versions)
        .map(([key, version]) => `${key} ${version}`)
        .join(', ')}`,
  )
  return [...new Set(lines)].map((line) => `- ${plainMarkdown(line)}`).join('\n')
}

/** A step's result, with its heading unless the step simply passed; else how its run ended. */
function foundIn(outcome: Outcome | null, state: string): string[] {
  if (outcome === null) return [state]
  const { passed, leftOut, sentence } = outcome
  return passed && leftOut !== true ? [sentence] : [outcomeName(outcome).toLowerCase(), sentence]
}

/** The result of each run, if nothing was compared. */
function runsPart({ runs }: Report): string {
  return runs
    .filter(({ repeats, outcome }) => repeats.length > 0 || outcome !== null)
    .map(({ title, state, outcome, repeats }) => {
      const tools = [...new Set(takenIn({ repeats }).map(({ benchmark }) => toolName(benchmark)))].join(', ')
      const words = [title, tools, ...foundIn(outcome, state)].filter((part) => part !== '').join(': ')
      return `- ${plainMarkdown(words)}`
    })
    .join('\n')
}

/** The exhibits of probes, step by step. */
function exhibitsPart({ runs }: Report): string {
  return runs
    .filter(({ exhibits }) => exhibits.length > 0)
    .map(({ title, exhibits }) => {
      const tables = exhibits.map(exhibitTable).map((found) => {
        const rows = found.rows.map((row) => row.map(plainMarkdown))
        const parts = [
          `**${plainMarkdown(found.title)}**`,
          rows.length === 0 ? '' : table(found.columns.map(plainMarkdown), rows, '---'),
          plainMarkdown(found.note ?? ''),
        ]
        return parts.filter((part) => part !== '').join('\n\n')
      })
      return [`## ${plainMarkdown(title)}`, ...tables].join('\n\n')
    })
    .join('\n\n')
}

/** The notes on instructions, if a clock counts them. */
function countedPart({ runs, comparisons }: Report): string {
  const taken = runs.flatMap(takenIn)
  const compared = comparisons.map(({ comparison }) => comparison)
  const { title, words } = ACROSS_CLOCKS
  const across = acrossClocks(taken) ? [`> **${plainMarkdown(title)}.** ${plainMarkdown(words)}`] : []
  const counted = anyCounted(taken, compared) ? [`**${COUNTED_TITLE}.** ${plainMarkdown(countedNotes.join(' '))}`] : []
  return [...across, ...counted].join('\n\n')
}

/** Whether the second opinions on each experiment agree with it. */
function opinionsPart({ runs, comparisons }: Report): string {
  return runs
    .flatMap(({ id, title }) => {
      const words = opinionSummary(comparisons.filter(({ runId }) => runId === id))
      return words === '' ? [] : [plainMarkdown(`${title}: ${words}`)]
    })
    .join('\n\n')
}

/** The same changes as others published them. */
function publishedPart({ published }: Report): string {
  if (published.length === 0) return ''
  return `**Published by others:**\n\n${published.map((one) => `- ${plainMarkdown(one)}`).join('\n')}`
}

/** How many runs of each experiment broke a rule that was fixed beforehand, if its tools have one. */
function discardedPart({ runs }: Report): string {
  return runs
    .filter(({ plan }) => plan !== null)
    .flatMap((run) => {
      const words = discardedWords(takenIn(run).filter(({ warmup }) => !warmup))
      return words === null ? [] : [plainMarkdown(`${run.title}: ${words}`)]
    })
    .join('\n\n')
}

export function markdownReport(report: Report): string {
  const { title, recording, comparisons, madeAt, madeBy, lab } = report
  const environment = environmentPart(report)
  const parts = [
    `# ${plainMarkdown(title)}`,
    recording ? '> **This is a recording**, played back. Nothing was measured for this report.' : '',
    lab === null ? '' : plainMarkdown(lab.question),
    countedPart(report),
    opinionsPart(report),
    ...comparisons.map(comparisonPart),
    discardedPart(report),
    publishedPart(report),
    comparisons.length === 0 ? runsPart(report) : '',
    exhibitsPart(report),
    environment === '' ? '' : `Measured on:\n\n${environment}`,
    `*Created by ${plainMarkdown(madeBy)}, ${formatInstant(madeAt)}. The JSON and HTML reports contain the raw tool output.*`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
