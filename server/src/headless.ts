/** `npm run lab -- LAB` runs a lab without a browser, and `npm run lab -- rehearse LAB` tries it before a talk. Progress goes to stderr, results to stdout or to a file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import { experimentOf } from '@expresslane/shared/labs/actions'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import type { LabResult } from '@expresslane/shared/wire/headless'
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import { formatLabProblem, type LabProblem } from '@expresslane/shared/labs/problem'
import type { Session } from '@expresslane/shared/wire/protocol'
import { hasPassed, hasStarted, type RunState } from '@expresslane/shared/run/run-state'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { isComplete, runsSinceReset } from '@expresslane/shared/run/progress'
import { factsOfRun } from '@expresslane/shared/run/run-facts'
import { linkOwner } from './access/principal.ts'
import { runBatch } from './batches/run.ts'
import { runBisect } from './batches/run-bisect.ts'
import { readConfig, type Config } from './config.ts'
import { openDeps, type Deps } from './deps.ts'
import { checkLabs } from './headless/check.ts'
import {
  help,
  readArguments,
  usage,
  type Arguments,
  type PageFile,
  type RehearseArguments,
} from './headless/arguments.ts'
import { narrate, summarise } from './headless/narrate.ts'
import { openPage } from './headless/open-page.ts'
import { writeProfiles } from './headless/profiles.ts'
import { rehearse } from './headless/rehearse.ts'
import { resultOf } from './headless/result.ts'
import { requireWritable, writeResult } from './headless/result-file.ts'
import { pageName, readViewer } from './headless/viewer-page.ts'
import { createLabCatalogue, type FirstRead } from './labs/catalogue.ts'
import { endAnyway, onStopSignal, surviveClosedOutput } from './process.ts'
import { readLabs } from './read-labs.ts'
import { recordedText, recordSession } from './replay/record.ts'
import { systemClock } from './runs/clock.ts'
import { openSession } from './runs/coordination/sessions.ts'

function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The labs from files. The Bench is not among them: only the page can plan for it. */
interface FoundLabs {
  readonly labs: readonly ListedLab[]
  readonly problems: readonly LabProblem[]
}

async function foundIn({ labs: folders }: Config, first: FirstRead): Promise<FoundLabs> {
  const catalogue = createLabCatalogue(folders, [], first)
  const found = { labs: catalogue.all(), problems: catalogue.problems() }
  await catalogue.close()
  return found
}

function requireLab({ labs, problems }: FoundLabs, id: string): ListedLab {
  const lab = labs.find((one) => one.id === id)
  if (lab !== undefined) return lab
  const known = labs.map((one) => one.id).join(', ')
  throw new LabError('not_found', `The lab "${id}" does not exist.`, `Available labs: ${known}. ${usage}`, {
    // An error in its file can be the reason why the lab is missing.
    ...(problems.length > 0 && { detail: problems.map(formatLabProblem).join('\n') }),
  })
}

/** The folder in which the command was typed: npm starts it in the project's. */
const here = process.env['INIT_CWD'] ?? '.'

/** @returns the exit code: 0 only when no file has errors */
function check(files: readonly string[]): number {
  const { lines, labs: count } = checkLabs(files, here)
  for (const line of lines) process.stdout.write(`${line}\n`)
  if (lines.length === 0) printProgress(count === 1 ? '1 lab, no errors' : `${count} labs, no errors`)
  return lines.length === 0 ? 0 : 1
}

/** @param at milliseconds since the epoch @throws LabError `bad_request`, `data_full`, before anything is measured */
async function pageFor({ name }: PageFile, labId: string, at: number): Promise<string> {
  const file = resolve(here, name ?? pageName(labId, at))
  await readViewer()
  await requireWritable(file)
  return file
}

/** Puts a recording that exists into a page. */
async function openRecording(
  { recording, page }: Extract<Arguments, { what: 'open' }>,
  config: Config,
  first: FirstRead,
) {
  const name = resolve(here, recording)
  const bytes = await readFile(name).catch((cause: unknown) => {
    throw new LabError('not_found', `The recording ${name} can't be read.`, usage, { cause, detail: String(cause) })
  })
  const labs = createLabCatalogue(config.labs, [], first)
  const { lab, recordedAt } = readRecording(bytes).outline
  requireLab({ labs: labs.all(), problems: labs.problems() }, lab)
  await openPage(await pageFor(page, lab, recordedAt), bytes, labs, printProgress)
  await labs.close()
  return 0
}

/** @throws LabError `bad_request` if a second opinion, or the choice of a case, would have no subject */
function requireExperiment({ title, steps }: Lab, { opinion, params }: Extract<Arguments, { what: 'lab' }>): void {
  if (steps.some((step) => experimentOf(step) !== null)) return
  const lacks = `The lab “${title}” has no experiment, and only experiments`
  if (params.cases !== undefined) throw new LabError('bad_request', `${lacks} have cases.`, 'Leave out --case.')
  if (!opinion) return
  const remedy = 'Leave out --opinion, or run the lab with --testbed counted.'
  throw new LabError('bad_request', `${lacks} can have a second opinion.`, remedy)
}

function runsOf({ store, log }: Pick<Deps, 'store' | 'log'>, session: Session): RunState[] {
  return store.runs.ofSession(session.id).flatMap((row) => log.state(row.id) ?? [])
}

async function showRecording({ store, findLab, labs }: Deps, { id }: Session, page: string): Promise<void> {
  const text = await recordedText(await recordSession({ store, findLab }, id))
  await openPage(page, Buffer.from(text), labs, printProgress)
}

/** The latest run of each experiment. */
function experimentsIn(runs: readonly RunState[]): RunState[] {
  const experiments = runsSinceReset(runs).filter(({ plan }) => plan !== null)
  return [...new Map(experiments.map((run) => [run.stepId, run])).values()]
}

/** The JSON for stdout when no file is written: the only comparison in full, or a short form of each. */
function shortOf({ comparison, comparisons }: LabResult): object {
  if (comparisons.length === 1 && comparison !== null) return comparison
  return comparisons.map(({ caseId, arm, against, comparison: { verdict, rows, control } }) => {
    const [row] = rows
    const { ratio = null, interval = null, adjustedP = null } = row ?? {}
    return { caseId, arm, against, verdict, ratio, interval, adjustedP, method: control.method }
  })
}

async function report(lab: Lab, runs: RunState[], opinions: RunState[] | null, json: string | null): Promise<void> {
  const result = resultOf(lab, runs, opinions)
  for (const line of summarise(lab.feature, result)) printProgress(line)
  if (json === null) process.stdout.write(`${JSON.stringify(shortOf(result))}\n`)
  else await writeResult(json, result)
}

/**
 * @param page the file for the page with the recording; null for none
 * @returns the exit code: 0 only when the lab completed
 */
async function runLab(
  deps: Deps,
  asked: Extract<Arguments, { what: 'lab' }>,
  lab: Lab,
  page: string | null,
): Promise<number> {
  const { scheduler, log } = deps
  const last = lab.steps.findLast((step) => step.action !== null)
  if (last === undefined) throw new LabError('not_found', 'This lab has no step to run.', 'Choose another lab.')
  const session = await openSession(deps, {
    labId: lab.id,
    testbed: formatTestbedId({ kind: asked.testbed, context: null, owner: null }),
    owner: linkOwner.id,
  })
  const unsubscribe = log.subscribe(({ runId, event }) => {
    const run = log.state(runId)
    const clock = run?.facts?.instructionsPerMicrosecond ?? null
    const about = run?.params.opinionOf ?? null
    const mine = run?.sessionId === session.id || (about !== null && log.state(about)?.sessionId === session.id)
    if (run !== null && mine) for (const line of narrate(lab, event, clock)) printProgress(line)
  })
  const { runId } = await scheduler.start(session, { stepId: last.id, params: asked.params, solve: true })
  let interrupted = false
  let ended = false
  let present = runId
  const stop = (): void => {
    // A single Ctrl-C arrives twice, from the terminal and from npm. The lab can also have ended by then.
    if (interrupted || ended) return
    interrupted = true
    printProgress('\nStopping the measurement and restoring the testbed ...')
    scheduler.cancel(present)
  }
  onStopSignal(stop)
  await scheduler.settled(runId)
  const runs = runsOf(deps, session)
  if (isComplete(lab, runs.map(factsOfRun))) {
    const opinions: RunState[] = []
    // The opinions come one after the other, when nothing is measured here any more.
    for (const { id } of asked.opinion ? experimentsIn(runs) : []) {
      if (interrupted) break
      printProgress('\nThe counted machine gives a second opinion.')
      present = (await deps.opinions.ask(id)).runId
      await scheduler.settled(present)
      const opinion = log.state(present)
      if (opinion !== null) opinions.push(opinion)
    }
    ended = true
    await report(lab, runs, asked.opinion ? opinions : null, asked.json)
    if (asked.profile !== null) for (const line of await writeProfiles(asked.profile, lab.id, runs)) printProgress(line)
    if (page !== null) await showRecording(deps, session, page)
    return interrupted ? 130 : 0
  }
  ended = true
  if (!runs.some(hasStarted)) {
    unsubscribe()
    printProgress('\nNo step has run.')
    return interrupted ? 130 : 1
  }
  const reset = await scheduler.reset(session)
  await scheduler.settled(reset.runId)
  unsubscribe()
  const restore = log.state(reset.runId)
  const left = restore !== null && hasPassed(restore) ? 'is restored' : 'could not be restored'
  printProgress(`\nThe lab did not complete. The lines above show why. The testbed ${left}.`)
  if (page !== null) await showRecording(deps, session, page)
  return interrupted ? 130 : 1
}

/** @returns the exit code: 0 only when every step worked */
async function rehearseLab(deps: Deps, asked: RehearseArguments, lab: Lab): Promise<number> {
  const rehearsed = await rehearse(deps, asked, lab, printProgress, (line) => process.stdout.write(`${line}\n`))
  if (asked.json !== null) await writeResult(asked.json, rehearsed)
  if (rehearsed.state === 'cancelled') return 130
  return rehearsed.state === 'ready' ? 0 : 1
}

const ALIVE_MS = 60_000

async function main(): Promise<number> {
  const asked = readArguments(process.argv.slice(2))
  if (asked.what === 'help') {
    process.stdout.write(`${help}\n`)
    return 0
  }
  if (asked.what === 'check') return check(asked.files)
  const read = readConfig(process.env)
  // This command reads its lab only once.
  const config = { ...read, labs: read.labs.map((folder) => ({ ...folder, watched: false })) }
  const labs = await readLabs(config.labs, systemClock)
  if (asked.what === 'open') return openRecording(asked, config, labs)
  const found = await foundIn(config, labs)
  if (asked.what === 'list') {
    for (const problem of found.problems) printProgress(formatLabProblem(problem))
    for (const lab of found.labs) process.stdout.write(`${lab.id}\t${lab.question}\n`)
    return 0
  }
  const lab = requireLab(found, asked.labId)
  if (asked.what === 'batch')
    return asked.bisects ? runBisect(asked, lab, printProgress) : runBatch(asked, lab, config, printProgress)
  if (asked.what === 'lab') requireExperiment(lab, asked)
  await requireWritable(asked.json)
  if (asked.what === 'lab') await requireWritable(asked.profile)
  const wanted = asked.what === 'lab' ? asked.open : null
  const page = wanted === null ? null : await pageFor(wanted, lab.id, Date.now())
  const kubernetes = { ...config.kubernetes, context: asked.context ?? config.kubernetes.context, orCurrent: true }
  const deps = openDeps({ ...config, kubernetes }, {}, { adopts: false, labs })
  // Nothing else keeps this process alive while a run is queued.
  const alive = setInterval(() => {}, ALIVE_MS)
  try {
    return asked.what === 'rehearse' ? await rehearseLab(deps, asked, lab) : await runLab(deps, asked, lab, page)
  } finally {
    clearInterval(alive)
    await deps.close()
    endAnyway(deps.left())
  }
}

surviveClosedOutput()
try {
  process.exitCode = await main()
} catch (error) {
  const { message, remedy, remedyCommand, detail, code } = toLabError(error)
  printProgress(`${message} (${code})\n${remedy}`)
  if (remedyCommand !== null) printProgress(remedyCommand)
  if (detail !== null) printProgress(detail)
  process.exitCode = code === 'bad_request' || code === 'not_found' ? 2 : 1
}
