/**
 * `npm run record [-- LAB... [--on TESTBED]]` makes new versions of the shipped recordings, on this machine's netns
 * testbed unless the list below or `--on` names another testbed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import type { StepParams } from '@expresslane/shared/labs/lab'
import {
  formatTestbedId,
  parseTestbedId,
  propertiesOf,
  testbedId,
  thisMachine,
  type TestbedId,
} from '@expresslane/shared/testbed/id'
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

interface Recorded {
  /** Enough repeats for a verdict, and short enough for a talk. */
  readonly params: StepParams
  /** Null: the lab needs a cluster, so `--on` names its context. */
  readonly testbed: TestbedId | null
}

/** In the commands of a shipped recording the helper's program stands as seen from the checkout, wherever that is. */
const checkout = decodeURIComponent(new URL('../../', import.meta.url).pathname)

const countedMachine = formatTestbedId({ kind: 'counted', context: null, owner: null })
const onThisMachine = (params: StepParams): Recorded => ({ params, testbed: thisMachine })
const onCounted = (params: StepParams): Recorded => ({ params, testbed: countedMachine })
const onCluster = (params: StepParams): Recorded => ({ params, testbed: null })

const recorded: ReadonlyMap<string, Recorded> = new Map([
  ['big-tcp-ipv4', onThisMachine({ repeats: 8, seconds: 1 })],
  ['big-tcp-ipv6', onThisMachine({ repeats: 8, seconds: 1 })],
  ['how-big', onThisMachine({ repeats: 6, seconds: 1 })],
  ['jumbo-or-big-tcp', onThisMachine({ repeats: 8, seconds: 1 })],
  ['one-stream', onThisMachine({ repeats: 6, seconds: 2 })],
  // Where two kernels are here, it shows what both do.
  ['through-a-tunnel', onCounted({ repeats: 6, profile: true })],
  ['encryption', onCounted({ profile: true })],
  ['see-the-packets', onThisMachine({})],
  ['bare-cluster', onCluster({ repeats: 6, seconds: 1 })],
  ['nodeport-services', onThisMachine({ repeats: 4, seconds: 0.5 })],
  ['nodeport-rate', onThisMachine({ repeats: 8, seconds: 0.5 })],
  ['nodeport-cpu', onThisMachine({ repeats: 6, seconds: 0.5 })],
  ['nodeport-cluster', onCluster({ repeats: 5, seconds: 2 })],
  ['load-balancing', onThisMachine({ repeats: 4 })],
  ['socket-lb', onCounted({ profile: true })],
  // The counted machine's kernel has netkit, and this machine's may not.
  ['pod-devices', onCounted({ repeats: 4 })],
  ['pod-limit', onCounted({})],
  ['long-paths', onCounted({})],
  ['nat64', onThisMachine({ repeats: 5, seconds: 1 })],
  ['nat64-cluster', onCluster({})],
])

/** Highest one-minute load average at the start. */
const MOST_LOAD = 1

function printProgress(line: string): void {
  process.stderr.write(`${line}\n`)
}

interface Asked {
  readonly labs: readonly string[]
  /** The testbed for all of them; null: each lab's own. */
  readonly on: TestbedId | null
}

/** @throws LabError `bad_request` for a testbed that is none */
function readAsked(args: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { on: { type: 'string' } },
    allowPositionals: true,
  })
  const on = testbedId.safeParse(values.on)
  if (values.on !== undefined && !on.success) {
    throw new LabError(
      'bad_request',
      `“${values.on}” is not a testbed.`,
      'Name one such as netns, counted or kubernetes:CONTEXT.',
    )
  }
  // A start without a cluster makes all recordings that need none.
  const ownPlace = [...recorded].flatMap(([lab, { testbed }]) => (testbed === null ? [] : [lab]))
  return { labs: positionals.length > 0 ? positionals : ownPlace, on: on.data ?? null }
}

/** Runs the whole lab. @throws LabError `step_not_ready` when a step did not pass */
async function recordLab(deps: Deps, labId: string, on: TestbedId | null): Promise<string> {
  const { scheduler, log, store, recordings } = deps
  const lab = deps.findLab(labId)
  const known = recorded.get(labId)
  const last = lab?.steps.findLast((step) => step.action !== null)
  if (lab === undefined || last === undefined || known === undefined) {
    const names = [...recorded.keys()].join(', ')
    throw new LabError('not_found', `The lab “${labId}” can’t be recorded.`, `Labs to record: ${names}.`)
  }
  const testbed = on ?? known.testbed
  if (testbed === null) {
    const remedy = `Run: npm run record -- ${labId} --on kubernetes:CONTEXT`
    throw new LabError('bad_request', `The lab “${labId}” needs a cluster.`, remedy)
  }
  const { params } = known
  const session = await openSession(deps, { labId, testbed, owner: linkOwner.id })
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
  const text = (await recordedText(await recordSession(deps, session.id))).replaceAll(checkout, '')
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

async function main(args: readonly string[]): Promise<void> {
  const { labs: names, on } = readAsked(args)
  const places = names.map((name) => on ?? recorded.get(name)?.testbed ?? thisMachine)
  // Other load changes no count of instructions.
  if (places.some((id) => propertiesOf(id).clock === null)) requireQuiet()
  const dataDir = await mkdtemp(join(tmpdir(), 'expresslane-record-'))
  const read = readConfig(process.env)
  // The context that the command names is the chosen context.
  const context = on === null ? null : parseTestbedId(on).context
  const kubernetes = { ...read.kubernetes, context: context ?? read.kubernetes.context, orCurrent: true }
  const config = { ...read, dataDir, kubernetes }
  const deps = openDeps(config, {}, { adopts: false, labs: await readLabs(config.labs, systemClock) })
  try {
    for (const labId of names) {
      const text = await recordLab(deps, labId, on)
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
