/** `npm run record [-- LAB...]` makes new versions of the shipped recordings, on this machine's netns testbed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import type { StepParams } from '@expresslane/shared/labs/lab'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { hasPassed } from '@expresslane/shared/run/run-state'
import { linkOwner } from './access/principal.ts'
import { readConfig } from './config.ts'
import { openDeps, type Deps } from './deps.ts'
import { narrate } from './headless/narrate.ts'
import { surviveClosedOutput } from './process.ts'
import { readLabs } from './read-labs.ts'
import { recordedText, recordSession } from './replay/record.ts'
import { systemClock } from './runs/clock.ts'
import { openSession } from './runs/coordination/sessions.ts'

/** The labs to record, and how to measure them: enough repeats for a verdict, and short enough for a talk. */
const recorded: ReadonlyMap<string, StepParams> = new Map([
  ['big-tcp-ipv4', { repeats: 8, seconds: 1 }],
  ['big-tcp-ipv6', { repeats: 8, seconds: 1 }],
  ['nodeport-services', { repeats: 4, seconds: 0.5 }],
  ['nodeport-rate', { repeats: 8, seconds: 0.5 }],
  ['nat64', { repeats: 5, seconds: 1 }],
])

/** Highest one-minute load average at the start. */
const MOST_LOAD = 1

function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Runs the whole lab. @throws LabError `step_not_ready` when a step did not pass */
async function recordLab(deps: Deps, labId: string, params: StepParams): Promise<string> {
  const { scheduler, log, store, recordings } = deps
  const lab = deps.findLab(labId)
  const last = lab?.steps.findLast((step) => step.action !== null)
  if (lab === undefined || last === undefined) {
    const known = [...recorded.keys()].join(', ')
    throw new LabError('not_found', `The lab “${labId}” can’t be recorded.`, `Labs to record: ${known}.`)
  }
  const session = await openSession(deps, { labId, testbed: thisMachine, owner: linkOwner.id })
  const unsubscribe = log.subscribe(({ event }) => {
    // The clock of this machine shows time.
    for (const line of narrate(lab, event, null)) printProgress(line)
  })
  const { runId } = await scheduler.start(session, { stepId: last.id, params, solve: true })
  await scheduler.settled(runId)
  unsubscribe()
  const failed = store.runs.ofSession(session.id).find(({ id }) => {
    const state = log.state(id)
    return state === null || !hasPassed(state)
  })
  if (failed !== undefined) {
    throw new LabError('step_not_ready', `The step ${failed.stepId} did not pass.`, 'The lines above show why.')
  }
  const text = await recordedText(await recordSession(deps, session.id))
  // Checks that the file can be imported.
  await recordings.add(Buffer.from(text), deps.clock.now())
  return text
}

/** Other load on this machine would distort the recorded figures. @throws LabError `step_not_ready` */
function requireQuiet(): void {
  const [load = 0] = loadavg()
  if (load <= MOST_LOAD) return
  const message = `This machine is busy (load ${load.toFixed(1)}). Shipped recordings need an idle machine.`
  throw new LabError('step_not_ready', message, `Wait until the load is at most ${MOST_LOAD}, then record again.`)
}

async function main(asked: readonly string[]): Promise<void> {
  requireQuiet()
  const dataDir = await mkdtemp(join(tmpdir(), 'expresslane-record-'))
  const config = { ...readConfig(process.env), dataDir }
  const deps = openDeps(config, {}, { adopts: false, labs: await readLabs(config.labs, systemClock) })
  try {
    for (const labId of asked.length > 0 ? asked : recorded.keys()) {
      const text = await recordLab(deps, labId, recorded.get(labId) ?? {})
      const file = join(config.recordingsDir, `${labId}.jsonl`)
      await writeFile(file, text)
      printProgress(`\n${file}: ${(text.length / 1024).toFixed(0)} kB`)
    }
  } finally {
    await deps.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

surviveClosedOutput()
try {
  await main(process.argv.slice(2))
} catch (error) {
  const { message, remedy, detail } = toLabError(error)
  printProgress([message, remedy, ...(detail === null ? [] : [detail])].join('\n'))
  process.exitCode = 1
}
