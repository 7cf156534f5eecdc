/** A report as one HTML file without scripts or external resources: it opens from a disk and prints. */
import { clockOf, formatMoment } from '../../measure/clock.ts'
import { ACROSS_CLOCKS, acrossClocks, anyCounted, COUNTED_TITLE, countedNotes } from '../../measure/counted-words.ts'
import { formatCount } from '../../base/units.ts'
import { exhibitsPart } from './exhibits.ts'
import { foundParts } from './found.ts'
import {
  chart,
  checkedPart,
  definitions,
  environmentPart,
  measurementParts,
  outputParts,
  paragraph,
  table,
} from './parts.ts'
import { documentHead } from './style.ts'
import type { Report, ReportRun } from '../model.ts'
import { paper } from '../../charts/draw/chart.ts'
import { escapeMarkup as text } from '../../charts/draw/svg.ts'
import { packetsChart } from '../../charts/packets-chart.ts'
import { timeCharts } from '../../charts/time-chart.ts'
import { outcomeName, type Outcome } from '../../run/events.ts'
import { takenIn } from '../../run/run-state.ts'
import { kinds } from '../../testbed/kinds.ts'
import { formatInstant, testbedWords } from '../words.ts'

function capturePart({ capture, title, testbed, facts }: ReportRun): string {
  if (capture === null) return ''
  const clock = clockOf({ kind: testbed, facts })
  const rows = capture.packets
    .filter(({ payload }) => payload > 0)
    .map(({ at, direction, again, length, payload, flags, lengthField, jumbo }, place) => ({
      cells: [
        String(place + 1),
        formatMoment(at, clock),
        again ? `${direction}, again` : direction,
        formatCount(length),
        formatCount(payload),
        flags,
        formatCount(lengthField),
        jumbo === null ? 'none' : formatCount(jumbo),
      ],
    }))
  const head = ['Data packet', 'At', 'Direction', 'Bytes', 'Payload', 'Flags', 'Length field', 'Jumbo header']
  return (
    paragraph(`As seen on ${capture.device} of ${capture.node}.`) +
    chart(packetsChart(capture, { title: `${title}: packets of one request`, captures: [capture], clock }, paper)) +
    table('', head, rows)
  )
}

function outcomePart(outcome: Outcome): string {
  return `<p><strong>${outcomeName(outcome)}.</strong> ${text(outcome.sentence)}</p>`
}

function* runParts(run: ReportRun): Generator<string> {
  const { title, state, startedAt, testbed, outcome, problem, repeats, plan, id } = run
  const taken = takenIn(run)
  const [first] = taken.flatMap(({ fingerprint }) => fingerprint ?? [])
  yield `<section class="card"><h3>${text(title)}</h3>`
  yield paragraph(`${formatInstant(startedAt)}, ${testbedWords[testbed]}, ${state}. Run ${id}.`, 'note')
  if (problem !== null) yield paragraph(`${problem.message} ${problem.detail ?? ''}`)
  if (outcome !== null) yield outcomePart(outcome)
  for (const one of timeCharts(repeats, { title: `${title}: over time`, arms: plan?.arms ?? [] }, paper)) {
    yield chart(one)
  }
  yield capturePart(run)
  yield exhibitsPart(run)
  yield* measurementParts(taken, plan)
  yield checkedPart(outcome?.observations ?? [])
  if (first !== undefined) {
    yield `<details><summary>Environment of the first measurement</summary>${environmentPart(first)}</details>`
  }
  yield* outputParts(run.output)
  yield '</section>'
}

function factsPart({ runs }: Report): string {
  const facts = runs.findLast((run) => run.facts !== null)?.facts ?? null
  if (facts === null) return ''
  const words = testbedWords[facts.kind]
  // The words begin with a machine's name.
  return definitions([
    ['Measured on', kinds[facts.kind].isMachine ? words : `${facts.name}, ${words}`],
    ['Kernel', facts.kernel],
    ['Operating system', facts.os],
    ['CPU', `${facts.cpu.count} × ${facts.cpu.model}`],
    [
      'Versions',
      Object.entries(facts.versions)
        .map(([key, version]) => `${key} ${version}`)
        .join(', '),
    ],
  ])
}

function countedPart({ runs, comparisons }: Report): string {
  const compared = comparisons.map(({ comparison }) => comparison)
  if (!anyCounted(runs.flatMap(takenIn), compared)) return ''
  const notes = countedNotes.map((note) => paragraph(note)).join('')
  const across = acrossClocks(runs.flatMap(takenIn))
    ? `<div class="notice"><strong>${text(ACROSS_CLOCKS.title)}</strong>${paragraph(ACROSS_CLOCKS.words)}</div>`
    : ''
  return `${across}<details><summary>${text(COUNTED_TITLE)}</summary>${notes}</details>`
}

function publishedPart({ published }: Report): string {
  if (published.length === 0) return ''
  const list = published.map((one) => `<li>${text(one)}</li>`).join('')
  return `<section class="card"><h3>Published by others</h3>${paragraph('On other machines, so only the changes can be compared.', 'note')}<ul>${list}</ul></section>`
}

const ABOUT: Readonly<Record<Report['about'], string>> = {
  session: 'Report of a session',
  run: 'Report of a run',
  comparison: 'Report of two runs, compared',
}

const RECORDING =
  '<div class="notice"><strong>This is a recording</strong><p>A real run, played back. Nothing was measured for this report.</p></div>'

/** Part by part. */
export function* htmlReport(report: Report): Generator<string> {
  const { title, about, recording, lab, runs, madeAt, madeBy } = report
  yield [
    documentHead(title),
    `<header><p>${ABOUT[about]}</p><h1>${text(title)}</h1>`,
    lab === null ? '' : paragraph(lab.question),
    recording ? RECORDING : '',
    '</header>',
    factsPart(report),
    countedPart(report),
  ].join('')
  yield* foundParts(report)
  yield publishedPart(report)
  yield '<h2>Runs</h2>'
  for (const run of runs) yield* runParts(run)
  yield `<footer><p>Created by ${text(madeBy)}, ${formatInstant(madeAt)}.</p></footer></main></body></html>\n`
}
