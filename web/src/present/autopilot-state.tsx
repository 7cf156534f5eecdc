import type { Autopilot } from '@expresslane/shared/wire/presentation'
import { useNow } from '../components/run/time-left.tsx'
import { clock } from './timing.ts'

/** The present action of the autopilot; counts down to its next step. */
export function AutopilotState({ autopilot }: { autopilot: Autopilot }) {
  const { state, until, problem } = autopilot
  const now = useNow()
  switch (state) {
    case 'off':
      return <span>You lead</span>
    case 'pausing':
      return (
        <span>
          Autopilot<span aria-hidden>: next in {clock(Math.max(0, ((until ?? now) - now) / 1000))}</span>
        </span>
      )
    case 'running':
      return <span>Autopilot: waiting for the step</span>
    case 'stopped':
      return <span>Autopilot stopped{problem === null ? '' : `: ${problem}`}</span>
    case 'finished':
      return <span>Autopilot: finished</span>
  }
}
