import type { TestbedView } from '@expresslane/shared/protocol'
import { Fragment } from 'react'
import { testbedName } from '../components/format.ts'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { RunBadge } from '../components/run-badge.tsx'
import { CheckList } from './check-list.tsx'
import classes from './testbed-card.module.css'

/** A testbed's fingerprint and what its preflight said. */
export function TestbedCard({ testbed }: { testbed: TestbedView }) {
  const { kind, facts, preflight, problem, busy } = testbed
  const wanting = preflight.filter(({ status }) => status !== 'passed')
  const rows: [string, string][] =
    facts === null
      ? []
      : [
          ['Kernel', facts.kernel],
          ['System', facts.os],
          ['CPU', `${facts.cpu.count} × ${facts.cpu.model}`],
          ['Governor', facts.cpu.governor ?? 'unknown'],
          ['Load', `${facts.load.toFixed(2)} (1 minute)`],
          ['Nodes', facts.nodes.join(', ')],
          ...Object.entries(facts.versions),
        ]
  return (
    <article className={classes.card} aria-labelledby={`testbed-${kind}`}>
      <div className={classes.head}>
        <h3 id={`testbed-${kind}`}>{testbedName[kind]}</h3>
        {busy !== null && <RunBadge look="running" />}
      </div>
      {problem !== null && <ProblemNotice problem={problem} tone="warn" />}
      {rows.length > 0 && (
        <dl className={classes.facts}>
          {rows.map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
      )}
      {preflight.length > 0 && (
        <details open={wanting.length > 0}>
          <summary>
            Preflight: {preflight.length - wanting.length} of {preflight.length} checks passed
          </summary>
          <CheckList checks={preflight} />
        </details>
      )}
    </article>
  )
}
