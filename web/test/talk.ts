import { aSession } from '@expresslane/shared/test/builders'
import { presentation, type Presentation } from '@expresslane/shared/wire/presentation'

/** A talk about the IPv4 lab on this machine, at its first step. */
export function aTalk(over: Partial<Record<keyof Presentation, unknown>> = {}): Presentation {
  return presentation.parse({
    sessionId: aSession,
    labId: 'big-tcp-ipv4',
    testbed: 'netns',
    stepId: 'why',
    startedAt: 1,
    stepSince: 1,
    blank: false,
    pathWide: false,
    autopilot: { state: 'off', pace: 1, until: null, problem: null },
    poll: null,
    followers: 1,
    ...over,
  })
}
