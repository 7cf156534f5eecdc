/** What a person found out in all labs: the latest verdict of each, as data, as Markdown and as HTML. Pure. */
import { escapeMarkup as text } from '../charts/draw/svg.ts'
import { briefWords } from '../compare/brief.ts'
import type { BriefVerdict } from '../compare/comparison.ts'
import type { ListedLab } from '../labs/lab.ts'
import { kindOf, propertiesOf } from '../testbed/id.ts'
import type { SessionsResponse } from '../wire/protocol.ts'
import { paragraph } from './html/parts.ts'
import { documentHead } from './html/style.ts'
import { plainMarkdown } from './markdown.ts'
import { formatInstant, testbedWords } from './words.ts'

type Session = SessionsResponse['sessions'][number]

/** A lab and its latest verdict. */
export interface Found {
  readonly lab: Pick<ListedLab, 'id' | 'title' | 'question'>
  readonly session: Pick<Session, 'id' | 'testbed'>
  readonly verdict: BriefVerdict & { readonly at: number }
}

export interface FoundReport {
  /** In the order of the labs. */
  readonly lines: readonly Found[]
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly madeAt: number
}

export const FOUND_TITLE = 'What you found out on this machine'

/** Each lab that has a verdict, with the latest. A playback of a recording found out nothing here. */
export function foundIn(labs: readonly ListedLab[], sessions: readonly Session[]): Found[] {
  const judged = sessions
    .filter(({ testbed }) => !propertiesOf(testbed).isRecorded)
    .flatMap(({ verdict, ...session }) => (verdict === null ? [] : [{ session, verdict }]))
    .toSorted((a, b) => b.verdict.at - a.verdict.at)
  return labs.flatMap((lab) => {
    const latest = lab.listed ? judged.find(({ session }) => session.labId === lab.id) : undefined
    return latest === undefined ? [] : [{ lab, ...latest }]
  })
}

const titleOf = ({ lab, verdict }: Found): string => `${lab.title}: ${briefWords(verdict)}`
const placeOf = ({ session, verdict }: Found): string =>
  `Measured on ${testbedWords[kindOf(session.testbed)]}, ${formatInstant(verdict.at)}.`
const NOTHING = 'No lab has a verdict yet.'
const madeWords = ({ madeBy, madeAt }: FoundReport): string => `Created by ${madeBy}, ${formatInstant(madeAt)}.`

export function foundMarkdown(report: FoundReport): string {
  const parts = report.lines.map((one) =>
    [
      `## ${plainMarkdown(titleOf(one))}`,
      ...[one.lab.question, one.verdict.sentence, placeOf(one)].map(plainMarkdown),
    ].join('\n\n'),
  )
  const all = [`# ${FOUND_TITLE}`, ...(parts.length === 0 ? [NOTHING] : parts), `*${plainMarkdown(madeWords(report))}*`]
  return `${all.join('\n\n')}\n`
}

export function foundHtml(report: FoundReport): string {
  const parts = report.lines.map((one) =>
    [
      `<section class="card"><h3>${text(titleOf(one))}</h3>`,
      paragraph(one.lab.question),
      paragraph(one.verdict.sentence),
      paragraph(placeOf(one), 'note'),
      '</section>',
    ].join(''),
  )
  return [
    documentHead(FOUND_TITLE),
    `<header><h1>${FOUND_TITLE}</h1></header>`,
    ...(parts.length === 0 ? [paragraph(NOTHING)] : parts),
    `<footer><p>${text(madeWords(report))}</p></footer></main></body></html>\n`,
  ].join('')
}
