/** A presentation on fake testbeds, with a clock that the test controls. */
import type { Presentation } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Presenting } from '../../../src/present/presenting.ts'
import { testClock, type TestClock } from '../clock.ts'
import { beginSession, openRig, type Rig, type RigOptions } from '../deps.ts'

export interface TalkRig extends Rig {
  readonly clock: TestClock
  readonly session: Session
  readonly presenting: Presenting
  /** The current presentation, if there is one. */
  shown(): Presentation
  /** Resolves when the presentation is as wanted. */
  until(wanted: (presentation: Presentation) => boolean): Promise<void>
}

export async function openTalk(options: RigOptions = {}): Promise<TalkRig> {
  const clock = testClock()
  const rig = openRig({ ...options, clock })
  const { presenting } = rig.deps
  const session = await beginSession(rig.deps)

  function shown(): Presentation {
    const presentation = presenting.current()
    if (presentation === null) throw new Error('nothing is presented')
    return presentation
  }

  return {
    ...rig,
    clock,
    session,
    presenting,
    shown,
    until(wanted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const unsubscribe = presenting.subscribe((presentation) => {
        if (presentation !== null && wanted(presentation)) resolve()
      })
      if (wanted(shown())) resolve()
      return promise.finally(unsubscribe)
    },
  }
}
