import { i18n } from '@expresslane/shared/base/language'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { listProfiles, removeProfile, saveProfile, type Profile } from '@expresslane/shared/wire/profiles'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, TextInput } from '../../components/controls.tsx'
import { useId, useState } from 'react'
import { useIsInstructor } from '../../api/queries.ts'
import { call } from '../../api/request.ts'
import { FetchProblem } from '../../components/problem-notice.tsx'
import selects from '../../components/controls.module.css'
import classes from './bench-form.module.css'
import { choiceOf, type BenchChoice } from './choice.ts'
import { firstPreset, presetsByFeature } from './presets.ts'

interface ProfileBarProps {
  /** The plan to save; null while the form has issues. */
  plan: ExperimentPlan | null
  /** True while the form shows the plan of a run. */
  fromRun: boolean
  onLoad: (choice: BenchChoice) => void
}

const FROM_RUN = 'run'
const first = `start ${firstPreset().id}`
const allPresets = presetsByFeature().flatMap(({ presets }) => presets)

/** The saved plans (the API calls them profiles), with functions to save and delete one. */
function useProfiles() {
  const client = useQueryClient()
  const onSuccess = (): Promise<void> => client.invalidateQueries({ queryKey: ['profiles'] })
  const list = useQuery({ queryKey: ['profiles'], queryFn: () => call(listProfiles) })
  const save = useMutation({ mutationFn: (body: Omit<Profile, 'savedAt'>) => call(saveProfile, { body }), onSuccess })
  const forget = useMutation({ mutationFn: (name: string) => call(removeProfile, { params: { name } }), onSuccess })
  return { list, save, forget }
}

/** Loads a preset or a saved plan into the form, and saves plans. */
export function ProfileBar({ plan, fromRun, onLoad }: ProfileBarProps) {
  const { list, save, forget } = useProfiles()
  const instructor = useIsInstructor()
  const [chosen, setPicked] = useState<string | null>(null)
  const picked = chosen ?? (fromRun ? FROM_RUN : first)
  const [name, setName] = useState('')
  const id = useId()
  const profiles = list.data?.profiles ?? []
  const loaded = profiles.find((one) => `saved ${one.name}` === picked) ?? null
  const pick = (value: string): void => {
    setPicked(value)
    const point = allPresets.find((one) => `start ${one.id}` === value)
    const found = profiles.find((one) => `saved ${one.name}` === value)
    if (point !== undefined) onLoad(point.choice)
    if (found !== undefined) {
      setName(found.name)
      onLoad(choiceOf(found.plan))
    }
  }
  const saveAsNamed = (): void => {
    if (plan === null || name.trim() === '') return
    save.mutate({ name: name.trim(), plan }, { onSuccess: (saved) => setPicked(`saved ${saved.name}`) })
  }
  const replaces = profiles.some((one) => one.name === name.trim())
  return (
    <div className="stack">
      <div className={`${selects.field} stack`}>
        <label htmlFor={id}>{i18n.t('Start from')}</label>
        <select id={id} value={picked} onChange={(event) => pick(event.currentTarget.value)}>
          <Options fromRun={picked === FROM_RUN} profiles={profiles} />
        </select>
      </div>
      {instructor && (
        <details>
          <summary>{i18n.t('Save this plan')}</summary>
          <div className={`${classes.keepRow} row`}>
            <TextInput
              aria-label={i18n.t('Name of the plan')}
              placeholder={i18n.t('A name')}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Enter saves the plan here, and does not submit the form.
                event.preventDefault()
                saveAsNamed()
              }}
            />
            <Button
              variant="default"
              disabled={plan === null || name.trim() === ''}
              loading={save.isPending}
              onClick={saveAsNamed}
            >
              {replaces ? i18n.t('Replace') : i18n.t('Save')}
            </Button>
            {loaded !== null && (
              <Button
                variant="default"
                loading={forget.isPending}
                onClick={() => forget.mutate(loaded.name, { onSuccess: () => setPicked(null) })}
              >
                {i18n.t('Delete “{name}”', { name: loaded.name })}
              </Button>
            )}
          </div>
          <p role="status" className="muted">
            {save.isSuccess && i18n.t('Saved as “{name}”.', { name: save.data.name })}
          </p>
        </details>
      )}
      {list.error !== null && <FetchProblem error={list.error} retry={() => void list.refetch()} />}
      {save.error !== null && <FetchProblem error={save.error} retry={saveAsNamed} />}
      {forget.error !== null && loaded !== null && (
        <FetchProblem error={forget.error} retry={() => forget.mutate(loaded.name)} />
      )}
    </div>
  )
}

interface OptionsProps {
  /** True while the form shows the plan of a run. */
  fromRun: boolean
  profiles: readonly Profile[]
}

function Options({ fromRun, profiles }: OptionsProps) {
  return (
    <>
      {fromRun && <option value={FROM_RUN}>{i18n.t('The run shown here')}</option>}
      {presetsByFeature().map(({ feature, presets }) => (
        <optgroup
          key={feature.id}
          label={
            presetsByFeature().length > 1
              ? i18n.t('Presets, {feature}', { feature: i18n.t(feature.name) })
              : i18n.t('Presets')
          }
        >
          {presets.map((one) => (
            <option key={one.id} value={`start ${one.id}`}>
              {i18n.t(one.name)}
            </option>
          ))}
        </optgroup>
      ))}
      {profiles.length > 0 && (
        <optgroup label={i18n.t('Saved plans')}>
          {profiles.map((one) => (
            <option key={one.name} value={`saved ${one.name}`}>
              {one.name}
            </option>
          ))}
        </optgroup>
      )}
    </>
  )
}
