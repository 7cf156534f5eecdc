import { i18n } from '@expresslane/shared/base/language'
import type { OtherTopology } from '@expresslane/shared/features/topology'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { useState } from 'react'
import { useKnownTestbeds, useTestbed } from '../../api/queries.ts'
import { CheckList } from '../../components/checks/check-list.tsx'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { listed } from '../../words/format.ts'

interface PreflightFoldProps {
  name: string
  checks: readonly Check[]
  /** Also if all of them passed. */
  open?: boolean
}

/** The checks of a testbed, open if one of them did not pass; nothing without checks. */
export function PreflightFold({ name, checks, open = false }: PreflightFoldProps) {
  if (checks.length === 0) return null
  const passed = checks.filter(({ status }) => status === 'passed').length
  const coming = checks.filter((check) => check.coming === true).length
  const counts = { name, passed, count: checks.length, coming }
  return (
    <details open={open || passed < checks.length}>
      <summary>
        {coming === 0
          ? i18n.t('{name}: {passed} of {count} checks passed', counts)
          : i18n.t(
              '{name}: {passed} of {count} checks passed, {coming, plural, one {# waits} other {# wait}} for the set-up',
              counts,
            )}
      </summary>
      <CheckList checks={checks} />
    </details>
  )
}

/** The preflight of the machine's testbed for other labs. It builds namespaces of its own, so it runs when it is asked for. */
export function OtherPreflight({ of: { testbed, features } }: { of: OtherTopology }) {
  const [asked, setAsked] = useState(false)
  const [known = null] = useKnownTestbeds([testbed])
  const name = i18n.t('Preflight of the {features} labs', { features: listed([...features]) })
  // Who asked for the checks reads them next.
  if (known !== null && known.preflight.length > 0)
    return <PreflightFold name={name} checks={known.preflight} open={asked} />
  return (
    <details onToggle={({ currentTarget }) => setAsked(currentTarget.open)}>
      <summary>{i18n.t('{name}: not checked yet', { name })}</summary>
      {asked && <Checking testbed={testbed} />}
    </details>
  )
}

function Checking({ testbed }: { testbed: TestbedId }) {
  const { data, error, refetch } = useTestbed(testbed)
  if (error !== null) return <FetchProblem error={error} retry={() => void refetch()} />
  if (data !== undefined && data.problem !== null) return <ProblemNotice problem={data.problem} tone="warn" />
  return (
    <p role="status" className="muted">
      {i18n.t('Checking what these labs need…')}
    </p>
  )
}
