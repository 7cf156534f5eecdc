/** Where each person of the room is in one lab. Pure. */
import type { Participant, RoomView, Seat } from '@expresslane/shared/wire/board'
import { hasTopologies, kindOf } from '@expresslane/shared/testbed/id'
import type { Lab } from '@expresslane/shared/labs/lab'

/** `failed` needs help; `idle` is between two steps; `absent` has not begun this lab. */
export type StandingKind = 'failed' | 'waiting' | 'running' | 'idle' | 'absent' | 'finished'

export interface Standing {
  readonly person: Participant
  /** Null for a person who has not begun the lab. */
  readonly seat: Seat | null
  readonly kind: StandingKind
  /** Null before the lab and after its last step. */
  readonly step: { readonly number: number; readonly of: number; readonly title: string } | null
}

type LabSteps = Pick<Lab, 'id' | 'steps'>

function kindOfSeat(seat: Seat | null): StandingKind {
  if (seat === null) return 'absent'
  if (seat.run !== null) return seat.run.state === 'queued' ? 'waiting' : 'running'
  if (seat.failed !== null) return 'failed'
  return seat.stepId === null ? 'finished' : 'idle'
}

/** A step of a lab by its number, for people. Null for a step that the lab no longer has. */
export function stepIn(lab: LabSteps | null, stepId: string): Standing['step'] {
  const index = lab?.steps.findIndex(({ id }) => id === stepId) ?? -1
  const step = lab?.steps[index]
  return lab === null || step === undefined ? null : { number: index + 1, of: lab.steps.length, title: step.title }
}

/** A person's way through a lab: on their own testbed, or else the newest one elsewhere. */
export function standingIn(lab: LabSteps, person: Participant): Standing {
  const inLab = person.seats.filter(({ labId }) => labId === lab.id)
  const seat = inLab.find(({ testbed }) => hasTopologies(kindOf(testbed))) ?? inLab[0] ?? null
  const stepId = seat?.run?.stepId ?? seat?.stepId ?? null
  return { person, seat, kind: kindOfSeat(seat), step: stepId === null ? null : stepIn(lab, stepId) }
}

export const orders = ['name', 'help', 'result'] as const
export type BoardOrder = (typeof orders)[number]

const helpFirst: readonly StandingKind[] = ['failed', 'waiting', 'running', 'idle', 'absent', 'finished']

function byName(a: Standing, b: Standing): number {
  return a.person.name.localeCompare(b.person.name, 'en', { numeric: true })
}

const compare: Readonly<Record<BoardOrder, (a: Standing, b: Standing) => number>> = {
  name: byName,
  help: (a, b) => helpFirst.indexOf(a.kind) - helpFirst.indexOf(b.kind) || place(a) - place(b) || byName(a, b),
  result: (a, b) => ratio(b) - ratio(a) || byName(a, b),
}

function place({ seat }: Standing): number {
  return seat?.run?.place ?? 0
}

/** People without a result come last. */
function ratio({ seat }: Standing): number {
  return seat?.result?.ratio ?? 0
}

/** The lines of the board for one lab. */
export function standings(lab: LabSteps, room: Pick<RoomView, 'participants'>, order: BoardOrder): Standing[] {
  return room.participants.map((person) => standingIn(lab, person)).toSorted(compare[order])
}

/** How many people are in each state. */
export function countKinds(lines: readonly Standing[]): Readonly<Record<StandingKind, number>> {
  const counts = { failed: 0, waiting: 0, running: 0, idle: 0, absent: 0, finished: 0 }
  for (const { kind } of lines) counts[kind] += 1
  return counts
}

/** The lab that most people are in; the first listed one while nobody has begun. Null without labs. */
export function busiestLab(labs: readonly LabSteps[], { participants }: Pick<RoomView, 'participants'>): string | null {
  const people = (lab: LabSteps): number =>
    participants.filter(({ seats }) => seats.some(({ labId }) => labId === lab.id)).length
  return labs.toSorted((a, b) => people(b) - people(a))[0]?.id ?? null
}
