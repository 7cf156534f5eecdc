import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { type TestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import { IconEye, IconPlayerTrackNext, IconRobot } from '../../icons.tsx'
import { useLive } from '../../api/live.tsx'
import { AutopilotState } from '../autopilot-state.tsx'
import type { Lead } from '../use-lead.ts'
import { NextPress } from './next-press.tsx'
import classes from './stage.module.css'

interface StageStatusProps {
  lab: Lab
  lead: Lead
  testbed: TestbedId
}

/** The line at the bottom: the effect of the next key press or the present run, and who follows. */
export function StageStatus({ lab, lead, testbed }: StageStatusProps) {
  const connection = useLive((snapshot) => snapshot.connection)
  const { now } = lead.talk
  const followers = now?.followers ?? 0
  return (
    <footer className={`${classes.status} row one-line muted no-wrap`}>
      <div className={`${classes.next} row one-line grow`} role="status" aria-label={i18n.t('Progress')}>
        <NextPress lab={lab} lead={lead} />
      </div>
      {now !== null && now.autopilot.state !== 'off' && (
        <p className="row tight one-line">
          <IconRobot aria-hidden /> <AutopilotState autopilot={now.autopilot} />
        </p>
      )}
      {propertiesOf(testbed).isRecorded && (
        <p className="row tight one-line">
          <IconPlayerTrackNext aria-hidden /> {i18n.t('A recording')}
        </p>
      )}
      {followers > 0 && (
        <p className="row tight one-line">
          <IconEye aria-hidden /> {i18n.t('{followers, plural, one {# follows} other {# follow}}', { followers })}
        </p>
      )}
      {connection !== 'live' && connection !== 'connecting' && (
        <p className="bad strong">
          {i18n.t(
            '{connection, select, reconnecting {reconnecting} offline {offline} outdated {outdated} crowded {crowded} other {revoked}}',
            { connection },
          )}
        </p>
      )}
    </footer>
  )
}
