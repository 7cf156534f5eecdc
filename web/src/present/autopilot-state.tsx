import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Autopilot } from '@expresslane/shared/wire/presentation'
import { useNow } from '../components/run/time-left.tsx'
import { clock } from './timing.ts'

/** The present action of the autopilot; counts down to its next step. */
export function AutopilotState({ autopilot }: { autopilot: Autopilot }) {
  const { state, until, problem } = autopilot
  const now = useNow()
  switch (state) {
    case 'off':
      return <span>{i18n.t('You lead')}</span>
    case 'pausing':
      return (
        <span>
          <Trans
            id="Autopilot<0>: next in {left}</0>"
            values={{ left: clock(Math.max(0, ((until ?? now) - now) / 1000)) }}
            components={{ 0: <span aria-hidden /> }}
          />
        </span>
      )
    case 'running':
      return <span>{i18n.t('Autopilot: waiting for the step')}</span>
    case 'stopped':
      return (
        <span>
          {problem === null ? i18n.t('Autopilot stopped') : i18n.t('Autopilot stopped: {problem}', { problem })}
        </span>
      )
    case 'finished':
      return <span>{i18n.t('Autopilot: finished')}</span>
  }
}
