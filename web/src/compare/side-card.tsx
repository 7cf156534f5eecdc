import { i18n } from '@expresslane/shared/base/language'
import type { RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { choicesOf, sideOf, type Choice, type SideName } from '@expresslane/shared/run/sides'
import { Link } from 'react-router'
import { useLabs } from '../api/queries.ts'
import { formatTime } from '../words/format.ts'
import { SelectField } from '../components/select-field.tsx'
import type { ArmLook } from '../theme.ts'
import classes from './side-card.module.css'

/** A run with measurements. */
export interface RunChoice {
  readonly id: RunId
  readonly label: string
}

/** The title of a side, and the labels of its choices. */
const words = {
  before: {
    title: /*i18n*/ 'Before',
    run: /*i18n*/ 'Measurement, before',
    arm: /*i18n*/ 'Arm, before',
    case: /*i18n*/ 'Case, before',
  },
  after: {
    title: /*i18n*/ 'After',
    run: /*i18n*/ 'Measurement, after',
    arm: /*i18n*/ 'Arm, after',
    case: /*i18n*/ 'Case, after',
  },
} as const

interface SideCardProps {
  side: keyof typeof words
  run: RunState
  name: SideName
  look: ArmLook
  /** Runs to choose from; without any, the run is what the page's link says. */
  runs?: readonly RunChoice[]
  onChoose: (name: SideName) => void
}

/** A side of a comparison. If its run has several arms or cases, they can be chosen here. */
export function SideCard({ side: of, run, name, look, runs = [], onChoose }: SideCardProps) {
  const labs = useLabs()
  const lab = labs.data?.labs.find(({ id }) => id === run.labId)
  const { arms, cases } = choicesOf(run)
  const side = sideOf(run, name)
  const labels = words[of]
  const title = i18n.t(labels.title)
  const names = side === null ? [] : [side.arm.label, ...(side.measuredCase === null ? [] : [side.measuredCase.label])]
  return (
    <section className={`${classes.side} surface`} data-hue={look.hue} aria-label={title}>
      <p className="strong">{title}</p>
      <p>
        <Link to={`/runs/${run.id}`}>{lab?.title ?? run.labId}</Link>
        {names.length > 0 && `: ${names.join(', ')}`}
      </p>
      <p className="muted numbers">{formatTime(run.startedAt)}</p>
      <Choose
        label={i18n.t(labels.run)}
        choices={runs}
        chosen={run.id}
        onChoose={(id) => {
          const chosen = runs.find((one) => one.id === id)
          if (chosen !== undefined) onChoose({ run: chosen.id, arm: null, caseId: null })
        }}
      />
      {(side === null || arms.length > 1 || cases.length > 1) && (
        <div className="row">
          <Choose
            label={i18n.t(labels.arm)}
            choices={arms}
            chosen={name.arm}
            onChoose={(arm) => onChoose({ ...name, arm })}
          />
          <Choose
            label={i18n.t(labels.case)}
            choices={cases}
            chosen={name.caseId}
            // The address names a case only together with its arm, even if there is only one arm.
            onChoose={(caseId) => onChoose({ ...name, arm: name.arm ?? side?.arm.id ?? arms[0]?.id ?? null, caseId })}
          />
        </div>
      )}
    </section>
  )
}

interface ChooseProps {
  label: string
  choices: readonly Choice[]
  chosen: string | null
  onChoose: (id: string) => void
}

function Choose({ label, choices, chosen, onChoose }: ChooseProps) {
  const known = choices.some(({ id }) => id === chosen)
  if (choices.length === 0 || (choices.length === 1 && (known || chosen === null))) return null
  return (
    <SelectField
      label={label}
      value={known && chosen !== null ? chosen : ''}
      options={[
        ...(known ? [] : [['', i18n.t('Choose…')] as const]),
        ...choices.map((one) => [one.id, one.label] as const),
      ]}
      onChange={onChoose}
    />
  )
}
