import { i18n } from '@expresslane/shared/base/language'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Diagram } from '@expresslane/shared/labs/diagram'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { useId, useState, type CSSProperties } from 'react'
import { Button } from '../../components/controls.tsx'
import { lookAmong } from '../../theme.ts'
import { isAsKept } from '../../words/settings.ts'
import classes from './diagram.module.css'

interface DiagramViewProps {
  of: Diagram
  /** The lab's. */
  arms: readonly ArmPlan[]
  /** The path's present settings; null if they are unknown. */
  settings: Settings | null
}

/** The way of a packet with the arm that is set, or with the arm that the reader chooses. A change of the arm is animated once. */
export function DiagramView({ of: { title, nodes, ...of }, arms, settings }: DiagramViewProps) {
  const id = useId()
  const shown = of.arms.flatMap((one) => arms.filter((arm) => arm.id === one))
  const set = shown.findLast((arm) => isAsKept(arm.settings, settings)) ?? null
  const [now, show] = useState({ arm: set ?? shown[0], set, isNew: false })
  // A switch of the path's setting counts more than an earlier choice.
  if (set?.id !== now.set?.id) show({ arm: set ?? shown[0], set, isNew: true })
  if (now.arm === undefined) return null
  const { id: arm } = now.arm
  return (
    <figure className={`${classes.diagram} surface sunken stack container`} aria-labelledby={id}>
      <figcaption id={id} className="strong">
        {title}
      </figcaption>
      <div className="row tight" role="group" aria-label={i18n.t('Arm')}>
        {shown.map((one) => (
          <Button
            key={one.id}
            size="compact-md"
            variant={one.id === arm ? 'filled' : 'default'}
            data-hue={lookAmong(arms, one.id).hue}
            aria-pressed={one.id === arm}
            onClick={() => show({ arm: one, set, isNew: true })}
          >
            <span className="swatch" aria-hidden />
            {one.label}
          </Button>
        ))}
      </div>
      <ol key={arm} role="list" className={classes.way} data-hue={lookAmong(arms, arm).hue} data-new={now.isNew}>
        {nodes.map(({ label, note, switched, skippedBy, under }, index) => (
          <li
            // A place has no id other than its index.
            key={index}
            className={classes.node}
            data-skipped={skippedBy.includes(arm)}
            data-switched={switched}
            style={{ '--at': index } as CSSProperties}
          >
            <strong className="strong">{label}</strong>
            {note !== undefined && <p className="muted">{note}</p>}
            {skippedBy.includes(arm) && <p>{i18n.t('skipped')}</p>}
            {under[arm] !== undefined && <p className={classes.does}>{under[arm]}</p>}
            {switched && !skippedBy.includes(arm) && <p>{i18n.t('switched here')}</p>}
          </li>
        ))}
      </ol>
    </figure>
  )
}
