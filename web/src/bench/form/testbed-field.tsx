import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { Link } from 'react-router'
import { useTestbeds } from '../../api/queries.ts'
import { capitalized, testbedName } from '../../words/format.ts'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { environmentWords } from '../../words/environment.ts'
import classes from './bench-form.module.css'

interface TestbedFieldProps {
  kinds: readonly TestbedKind[]
  value: TestbedKind
  onChange: (kind: TestbedKind) => void
}

/** Where to measure: any that answers; of the chosen one what it is, or why it can't be used. */
export function TestbedField({ kinds, value, onChange }: TestbedFieldProps) {
  const queries = useTestbeds(kinds)
  const chosen = queries[kinds.indexOf(value)]
  const view = chosen?.data ?? null
  const answers = (index: number): boolean => (queries[index]?.data?.facts ?? null) !== null
  const silent = kinds.filter((kind, index) => kind !== value && !answers(index) && queries[index]?.isPending === false)
  const shown = kinds.filter((kind, index) => kind === value || answers(index))
  const nameOf = (kind: TestbedKind): string =>
    capitalized(testbedName(kind, queries[kinds.indexOf(kind)]?.data?.context ?? null))
  return (
    <div className={classes.testbed}>
      <SelectField
        label="Testbed"
        value={value}
        options={shown.map((kind) => [kind, nameOf(kind)])}
        disabled={shown.length < 2}
        onChange={(picked) => {
          const kind = kinds.find((one) => one === picked)
          if (kind !== undefined) onChange(kind)
        }}
      />
      {view !== null && view.facts !== null && (
        <p className={classes.says}>{environmentWords(value, view).slice(1).join(', ')}</p>
      )}
      {view === null && chosen?.isPending === true && (
        <p role="status" className={classes.says}>
          Reading what this testbed can do
        </p>
      )}
      {view !== null && view.facts === null && view.problem !== null && (
        <ProblemNotice problem={view.problem} title="This testbed can’t be used now" tone="warn" />
      )}
      {view === null && chosen !== undefined && chosen.error !== null && (
        <FetchProblem error={chosen.error} retry={() => void chosen.refetch()} />
      )}
      {silent.length > 0 && (
        <p className={classes.says}>
          Not to be used now: {silent.map(nameOf).join(', ')}. <Link to="/">See why</Link>
        </p>
      )}
    </div>
  )
}
