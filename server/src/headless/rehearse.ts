/** `npm run lab -- rehearse LAB` runs a lab quickly before a talk, and says which steps will work here. */
import type { Lab } from '@expresslane/shared/labs/lab'
import { effectWords } from '@expresslane/shared/present/rehearsal-words'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import type { Rehearsal } from '@expresslane/shared/wire/rehearsal'
import { linkOwner } from '../access/principal.ts'
import type { Deps } from '../deps.ts'
import { onStopSignal } from '../process.ts'
import { openSession } from '../runs/coordination/sessions.ts'
import type { RehearseArguments } from './arguments.ts'
import { narrate } from './narrate.ts'

/** The report's lines: its meaning, and with several comparisons each of them. */
function linesOf({ says, effects }: Rehearsal): string[] {
  return effects.length > 1 ? [...says, ...effects.map((one) => `- ${effectWords(one)}`)] : [...says]
}

/**
 * @param printProgress prints a line while it goes on
 * @param printReport prints a line of the report
 * @returns the report
 */
export async function rehearse(
  { rehearsals, scheduler, log, ...parts }: Deps,
  asked: Pick<RehearseArguments, 'testbed'>,
  lab: Lab,
  printProgress: (line: string) => void,
  printReport: (line: string) => void,
): Promise<Rehearsal> {
  const session = await openSession(
    { ...parts, log },
    {
      labId: lab.id,
      testbed: formatTestbedId({ kind: asked.testbed, context: null, owner: null }),
      owner: linkOwner.id,
    },
  )
  const unsubscribe = log.subscribe(({ runId, event }) => {
    const run = log.state(runId)
    const clock = run?.facts?.instructionsPerMicrosecond ?? null
    if (run?.testbed === session.testbed && run.labId === lab.id) narrate(lab, event, clock).forEach(printProgress)
  })
  const { runId } = await rehearsals.begin(session)
  let over = false
  const stop = (): void => {
    if (over) return
    over = true
    printProgress('\nStopping the rehearsal and restoring the testbed ...')
    scheduler.cancel(runId)
  }
  onStopSignal(stop)
  const report = await rehearsals.ended(session)
  over = true
  unsubscribe()
  printProgress('')
  linesOf(report).forEach(printReport)
  return report
}
