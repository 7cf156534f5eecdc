import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { Button, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { FetchProblem } from '../../components/problem-notice.tsx'
import selects from '../../components/select-field.module.css'
import classes from './bench-form.module.css'
import { choiceOf, type BenchChoice } from './choice.ts'
import { startingPoints } from './starting-points.ts'
import { useProfiles } from './use-profiles.ts'

interface ProfileBarProps {
  /** What would be kept; null while something is in its way. */
  plan: ExperimentPlan | null
  /** Whether the form shows the plan of a run, and not one of these. */
  fromRun: boolean
  onLoad: (choice: BenchChoice) => void
}

const FROM_RUN = 'run'
const first = `start ${startingPoints[0].name}`

/** Start from something: what comes with the page, or what was kept under a name. */
export function ProfileBar({ plan, fromRun, onLoad }: ProfileBarProps) {
  const { list, save, forget } = useProfiles()
  const [chosen, setPicked] = useState<string | null>(null)
  const picked = chosen ?? (fromRun ? FROM_RUN : first)
  const [name, setName] = useState('')
  const id = useId()
  const profiles = list.data?.profiles ?? []
  const kept = profiles.find((one) => `kept ${one.name}` === picked) ?? null
  const pick = (value: string): void => {
    setPicked(value)
    const point = startingPoints.find((one) => `start ${one.name}` === value)
    const found = profiles.find((one) => `kept ${one.name}` === value)
    if (point !== undefined) onLoad(point.choice)
    if (found !== undefined) {
      setName(found.name)
      onLoad(choiceOf(found.plan))
    }
  }
  const keep = (): void => {
    if (plan === null || name.trim() === '') return
    save.mutate({ name: name.trim(), plan }, { onSuccess: (saved) => setPicked(`kept ${saved.name}`) })
  }
  const replaces = profiles.some((one) => one.name === name.trim())
  return (
    <div className={classes.profiles}>
      <div className={selects.field}>
        <label htmlFor={id}>Start from</label>
        <select id={id} value={picked} onChange={(event) => pick(event.currentTarget.value)}>
          {picked === FROM_RUN && <option value={FROM_RUN}>The run shown here</option>}
          <optgroup label="To begin with">
            {startingPoints.map((one) => (
              <option key={one.name} value={`start ${one.name}`}>
                {one.name}
              </option>
            ))}
          </optgroup>
          {profiles.length > 0 && (
            <optgroup label="Profiles">
              {profiles.map((one) => (
                <option key={one.name} value={`kept ${one.name}`}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </div>
      <details className={classes.keep}>
        <summary>Save as a profile</summary>
        <div className={classes.keepRow}>
          <TextInput
            aria-label="Name of the profile"
            placeholder="A name"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter here keeps the profile, and does not run it.
              event.preventDefault()
              keep()
            }}
          />
          <Button
            variant="default"
            disabled={plan === null || name.trim() === ''}
            loading={save.isPending}
            onClick={keep}
          >
            {replaces ? 'Replace' : 'Save'}
          </Button>
          {kept !== null && (
            <Button
              variant="default"
              loading={forget.isPending}
              onClick={() => forget.mutate(kept.name, { onSuccess: () => setPicked(null) })}
            >
              Delete “{kept.name}”
            </Button>
          )}
        </div>
        <p role="status" className={classes.says}>
          {save.isSuccess && `Saved as “${save.data.name}”.`}
        </p>
      </details>
      {list.error !== null && <FetchProblem error={list.error} retry={() => void list.refetch()} />}
      {save.error !== null && <FetchProblem error={save.error} retry={keep} />}
      {forget.error !== null && kept !== null && (
        <FetchProblem error={forget.error} retry={() => forget.mutate(kept.name)} />
      )}
    </div>
  )
}
