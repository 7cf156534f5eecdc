import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { capitalized } from '@expresslane/shared/features/words'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { Link } from 'react-router'
import { useTestbeds } from '../../api/queries.ts'
import { testbedName } from '../../words/format.ts'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { environmentWords } from '../../words/environment.ts'
import { isUsable } from '../../words/testbeds.ts'

interface TestbedFieldProps {
  /** Including the chosen testbed. */
  ids: readonly TestbedId[]
  value: TestbedId
  onChange: (id: TestbedId) => void
}

/** A choice of the testbeds that can be used, with a summary of the chosen testbed, or why it can't be used. */
export function TestbedField({ ids, value, onChange }: TestbedFieldProps) {
  const queries = useTestbeds(ids)
  const chosen = queries[ids.indexOf(value)]
  const view = chosen?.data ?? null
  const usable = queries.map(({ data }) => data !== undefined && data !== null && isUsable(data))
  const unusable = ids.filter((id, index) => id !== value && !usable[index] && queries[index]?.isPending === false)
  const shown = ids.filter((id, index) => id === value || usable[index])
  const nameOf = (id: TestbedId): string => capitalized(testbedName(id))
  return (
    <div className="stack tight">
      <SelectField
        label={i18n.t('Testbed')}
        value={value}
        options={shown.map((id) => [id, nameOf(id)])}
        disabled={shown.length < 2}
        onChange={(picked) => {
          const id = ids.find((one) => one === picked)
          if (id !== undefined) onChange(id)
        }}
      />
      {view !== null && view.facts !== null && (
        <p className="muted">{environmentWords(value, view).slice(1).join(', ')}</p>
      )}
      {view !== null && view.facts === null && view.problem === null && (
        <p className="muted">
          {isUsable(view) ? (
            i18n.t('It does not run now: it starts with the experiment.')
          ) : (
            <Trans id="It can’t be used right now. <0>Show why</0>" components={{ 0: <Link to="/" /> }} />
          )}
        </p>
      )}
      {view === null && chosen?.isPending === true && (
        <p role="status" className="muted">
          {i18n.t('Checking what this testbed can do…')}
        </p>
      )}
      {view !== null && view.facts === null && view.problem !== null && (
        <ProblemNotice problem={view.problem} title={i18n.t('This testbed can’t be used right now')} tone="warn" />
      )}
      {view === null && chosen !== undefined && chosen.error !== null && (
        <FetchProblem error={chosen.error} retry={() => void chosen.refetch()} />
      )}
      {unusable.length > 0 && (
        <p className="muted">
          <Trans
            id="Not available: {names}. <0>Show why</0>"
            values={{ names: unusable.map(nameOf).join(', ') }}
            components={{ 0: <Link to="/" /> }}
          />
        </p>
      )}
    </div>
  )
}
