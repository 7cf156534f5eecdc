import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { changeWords } from '@expresslane/shared/compare/brief'
import { summaryOf } from '@expresslane/shared/compare/control'
import { publishedBeside, publishedNotes } from '@expresslane/shared/compare/published'
import { findFeature } from '@expresslane/shared/features/settings'
import { nextLab, type Lab } from '@expresslane/shared/labs/lab'
import { isOfCase, resultsOf, type Result } from '@expresslane/shared/run/result'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session, TestbedView } from '@expresslane/shared/wire/protocol'
import { Link } from 'react-router'
import { useLabs } from '../../api/queries.ts'
import { Published, VerdictHeadline } from '../../compare/index.ts'
import { Card, Empty, Page } from '../../components/card.tsx'
import { Button } from '../../components/controls.tsx'
import { Markdown } from '../../components/prose/markdown.tsx'
import { RecordingBanner } from '../../recordings/index.ts'
import { ExportMenu, reportPath } from '../../result/index.ts'
import { Guessed } from '../guess/guess.tsx'
import { SignedRecord } from '../signed-record.tsx'
import { useSessionState, type SessionState } from '../use-session-state.ts'
import { formatInterval } from '../../words/comparison.ts'
import { environmentWords } from '../../words/environment.ts'
import classes from './summary.module.css'

interface SessionSummaryProps {
  lab: Lab
  session: Session
  testbed: TestbedView | null
}

/** The end of a lab: each verdict beside the published figures, advice for a cluster, and the next lab. */
export function SessionSummary({ lab, session, testbed }: SessionSummaryProps) {
  const state = useSessionState(lab, session)
  const labs = useLabs().data?.labs ?? []
  const completed = state.runs.filter((run) => run.state === 'completed')
  const results = resultsOf(lab, completed).filter(({ comparisons }) => comparisons.length > 0)
  const base = `/labs/${lab.id}/sessions/${session.id}`
  const advice = findFeature(lab.feature)?.onYourCluster
  const next = nextLab(labs, lab)
  return (
    <Page>
      {propertiesOf(session.testbed).isRecorded && (
        <RecordingBanner testbed={session.testbed} run={state.runs.at(-1) ?? null} />
      )}
      <div className={`${classes.head} stack`}>
        <p className="muted break-anywhere">
          <Link to={base}>{lab.title}</Link>, {environmentWords(session.testbed, testbed).join(', ')}
        </p>
        <div className="row between">
          <h1>{i18n.t('What you found out')}</h1>
          <div className="row">
            <SignedRecord lab={lab} session={session} runs={state.runs} />
            {state.runs.length > 0 && <ExportMenu path={reportPath.session(session.id)} />}
          </div>
        </div>
        <p className="large pretty">{lab.question}</p>
      </div>
      <div className="stack apart">
        {results.length === 0 && (
          <Empty title={i18n.t('No verdict yet')}>
            <Trans
              id="<0>Go on with the lab</0>: its measurements and their comparison come here."
              components={{ 0: <Link to={base} /> }}
            />
          </Empty>
        )}
        {results.map((result) => (
          <ResultCard key={result.steps.join()} lab={lab} base={base} result={result} state={state} />
        ))}
        {advice !== undefined && (
          <Card labelledBy="on-your-cluster">
            <div className="stack">
              <h2 id="on-your-cluster">{i18n.t('On your cluster')}</h2>
              <Markdown text={i18n.t(advice)} />
            </div>
          </Card>
        )}
        <div className="row between">
          <Link to="/found">{i18n.t('What you found out in all labs')}</Link>
          {next !== null && (
            <Button component={Link} to={`/#lab-${next.id}`}>
              {i18n.t('Next lab: {title}', { title: next.title })}
            </Button>
          )}
        </div>
      </div>
    </Page>
  )
}

/** More comparisons are on the step's page. */
const SHOWN = 8

interface ResultCardProps {
  lab: Lab
  base: string
  result: Result
  state: SessionState
}

function ResultCard({ lab, base, result, state }: ResultCardProps) {
  const stepId = result.steps.at(-1) ?? ''
  const run = state.runs.findLast((one) => one.stepId === stepId) ?? null
  const { comparisons, plan } = result
  const [only, ...others] = comparisons
  const [beside, notes] = [publishedBeside(lab.feature, result), publishedNotes(lab.feature, plan)]
  return (
    <Card labelledBy={`step-${stepId}`}>
      <div className="stack wide">
        <h2 id={`step-${stepId}`}>{lab.steps.find(({ id }) => id === stepId)?.title ?? stepId}</h2>
        {run !== null && <Guessed run={run} />}
        {only !== undefined && others.length === 0 && <VerdictHeadline comparison={only.comparison} caution={null} />}
        {others.length > 0 && (
          <>
            <p className="large pretty">{summaryOf(comparisons)}</p>
            <ul role="list" className={classes.rows}>
              {comparisons.slice(0, SHOWN).flatMap(({ caseId, arm, comparison: { rows, off, on } }) =>
                rows.slice(0, 1).map((row) => (
                  <li key={`${caseId} ${arm}`} className="row between baseline">
                    <span>
                      {plan.cases.find((of) => isOfCase({ caseId }, of))?.label}, {off.name} → {on.name}
                    </span>
                    <span className="numbers">
                      <strong>{changeWords(row)}</strong> <span className="muted">{formatInterval(row)}</span>
                    </span>
                  </li>
                )),
              )}
            </ul>
          </>
        )}
        {beside.length + notes.length > 0 && <h3>{i18n.t('Published by others')}</h3>}
        <Published beside={beside} notes={notes} open />
        <Link to={`${base}/${stepId}`}>
          {others.length >= SHOWN
            ? i18n.t('All {count} comparisons, with every repeat', { count: comparisons.length })
            : i18n.t('Every repeat')}
        </Link>
      </div>
    </Card>
  )
}
