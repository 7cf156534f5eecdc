/** Writes runs of the computer in this tab as a recording, as a server does. Loaded when somebody exports. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import { formatRecording, recordedFacts, RECORDING_VERSION } from '@expresslane/shared/recordings/recording'
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'

/** The events of a run, from its start to its end; null for a run that goes on. */
function recordedRun(events: readonly LoggedEvent[]) {
  const [first] = events
  if (first?.event.type !== 'run.started' || events.at(-1)?.event.type !== 'run.ended') return null
  const { at: startedAt, event } = first
  return {
    stepId: event.stepId,
    startedAt,
    events: events.map(({ at, event: each }) => ({ at: Math.max(0, at - startedAt), event: each })),
  }
}

/** @throws LabError `step_not_ready` without an ended run, or without facts of the testbed */
export function recordingFile(name: string, lab: string, all: readonly (readonly LoggedEvent[])[]): Response {
  const runs = all.flatMap((events) => recordedRun(events) ?? [])
  const read = all.flat().findLast(({ event }) => event.type === 'facts.read')?.event as
    | Extract<RunEvent, { type: 'facts.read' }>
    | undefined
  const facts = recordedFacts.safeParse(read?.facts).data
  const [begun] = runs
  if (begun === undefined || facts === undefined) {
    throw new LabError(
      'step_not_ready',
      i18n.t('No ended run of this session has facts about its testbed.'),
      i18n.t('Run preflight or a measurement in this session, wait until it has ended, and record again.'),
    )
  }
  const head = { format: 'expresslane-recording', version: RECORDING_VERSION, name, lab, facts } as const
  const text = formatRecording({ ...head, recordedAt: begun.startedAt, runs })
  return new Response(text, {
    headers: {
      'content-type': 'application/jsonl',
      'content-disposition': `attachment; filename="expresslane-${lab}.jsonl"`,
    },
  })
}
