import { i18n } from '@expresslane/shared/base/language'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { Button } from '../../components/controls.tsx'
import { IconHandStop, IconRobot } from '../../icons.tsx'
import { Card } from '../../components/card.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { AutopilotState } from '../autopilot-state.tsx'
import type { Talk } from '../use-talk.ts'
import classes from './speaker-window.module.css'

const paces = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5]

function paceWords(pace: number): string {
  return pace === 1 ? i18n.t('as planned') : `×${Number(pace.toFixed(2))}`
}

/** Gives the talk to the autopilot and takes it back; changes its pauses. */
export function AutopilotPanel({ now, lead }: { now: Presentation; lead: Talk['lead'] }) {
  const { state, pace } = now.autopilot
  const on = state === 'pausing' || state === 'running'
  // Keys change the pace in smaller steps than this list.
  const options = [...new Set([...paces, pace])].toSorted((a, b) => a - b)
  return (
    <Card labelledBy="speaker-autopilot">
      <h2 id="speaker-autopilot">{i18n.t('Autopilot')}</h2>
      <p className={`${classes.below} numbers`} role="status">
        <AutopilotState autopilot={now.autopilot} />
      </p>
      <div className="row bottom between">
        <Button
          variant={on ? 'filled' : 'default'}
          leftSection={on ? <IconHandStop size={18} aria-hidden /> : <IconRobot size={18} aria-hidden />}
          onClick={() => lead({ do: 'autopilot', on: !on })}
        >
          {on ? i18n.t('Take over') : i18n.t('Start autopilot')}
        </Button>
        <SelectField
          label={i18n.t('Pauses')}
          value={`${pace}`}
          options={options.map((one) => [`${one}`, paceWords(one)])}
          onChange={(picked) => lead({ do: 'autopilot', on, pace: Number(picked) })}
        />
      </div>
    </Card>
  )
}
