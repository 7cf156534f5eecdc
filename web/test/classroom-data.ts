/** Rooms of any size, as the server describes them. */
import { runId, sessionId } from '@expresslane/shared/run/events'
import { ownerId } from '@expresslane/shared/testbed/id'
import { roomView, participant, type Participant, type RoomView, type Seat } from '@expresslane/shared/wire/board'

export function aSeat(over: Partial<Record<keyof Seat, unknown>> = {}): Record<string, unknown> {
  return {
    sessionId: sessionId.parse('s_00000001'),
    labId: 'big-tcp-ipv4',
    testbed: 'netns@p1',
    stepId: 'preflight',
    passedSteps: [],
    failed: null,
    run: null,
    result: null,
    ...over,
  }
}

export function aParticipant(over: Partial<Record<keyof Participant, unknown>> = {}): Participant {
  return participant.parse({
    id: ownerId.parse('p1'),
    name: 'Ada',
    joinedAt: 1,
    network: '192.0.2.1',
    online: true,
    seats: [],
    ...over,
  })
}

export function aRoom(over: Partial<Record<keyof RoomView, unknown>> = {}): RoomView {
  return roomView.parse({
    participants: [],
    limit: 30,
    crowded: [],
    followers: 0,
    labs: [],
    queue: { paused: false, running: [], waiting: [] },
    doors: [
      { role: 'participant', code: null, link: null },
      { role: 'viewer', code: null, link: null },
    ],
    ...over,
  })
}

export const aRun = runId.parse('r_00000001')

/** A result as a seat holds it. */
export function aResult(ratio: number): Record<string, unknown> {
  return { metric: 'tps', family: 'ipv4', ratio, low: ratio - 0.05, high: ratio + 0.05 }
}

/** A queued run as a seat holds it. */
export function aWait(place: number, over: Record<string, unknown> = {}): Record<string, unknown> {
  return { runId: aRun, stepId: 'preflight', state: 'queued', place, expectedSeconds: 40, ...over }
}

/** A lab's figures with one step that acts, and two people who have finished. */
export function aLabsFigures(over: Record<string, unknown> = {}): Record<string, unknown> {
  const step = {
    stepId: 'preflight',
    reached: 6,
    passed: 2,
    here: 0,
    left: 0,
    failures: 0,
    hints: 0,
    solves: 0,
    hands: 0,
    seconds: { low: 60, median: 125, high: null, longest: 300 },
    factor: 3.1,
    standsOut: [],
    ...over,
  }
  return { labId: 'big-tcp-ipv4', learners: 6, finished: 2, slowest: 'preflight', steps: [step] }
}
