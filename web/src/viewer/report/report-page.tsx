import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { capitalized } from '@expresslane/shared/features/words'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { Link, useParams, useSearchParams } from 'react-router'
import { useLabs } from '../../api/queries.ts'
import { ComparisonView, DifferencesNotice, VerdictMark } from '../../compare/index.ts'
import { Card, Empty, Page } from '../../components/card.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { lookOf, RunBadge } from '../../components/run/run-badge.tsx'
import { Notice } from '../../components/notice.tsx'
import { Table } from '../../components/table.tsx'
import { lookAmong, type SideLooks } from '../../theme.ts'
import { kernelWords } from '../../words/environment.ts'
import { formatDuration, formatTime } from '../../words/format.ts'
import { useReports } from '../use-tab.ts'
import type { OpenReport, ShownComparison } from './open-report.ts'

/** In the address: the number of the comparison that is shown whole. */
const SHOWN = 'comparison'

/** A report that is open in this tab: its comparisons, one of them whole, and its runs. */
export function ReportPage() {
  const { name } = useParams()
  const report = useReports().find((one) => one.name === name)
  if (report !== undefined) return <Report report={report} />
  return (
    <Page>
      <h1>{i18n.t('A report')}</h1>
      <Empty title={i18n.t('This report is not open')}>
        <Link to="/">{i18n.t('Open its file on the start page.')}</Link>
      </Empty>
    </Page>
  )
}

function Report({ report }: { report: OpenReport }) {
  const { comparisons, published } = report
  const lab = useLabs().data?.labs.find(({ id }) => id === report.lab)
  // A result has ids alone.
  const title = report.title === report.lab && lab !== undefined ? lab.title : report.title
  const question = report.question ?? lab?.question ?? null
  const [search] = useSearchParams()
  const shown = comparisons[Number(search.get(SHOWN) ?? 0)] ?? comparisons[0]
  return (
    <Page>
      <div className="stack apart">
        <div className="stack">
          <h1 className="break-anywhere">{title}</h1>
          {question !== null && <p className="pretty">{question}</p>}
          <Made report={report} />
        </div>
        {comparisons.length > 1 && <Comparisons of={comparisons} shown={shown} />}
        {shown !== undefined && <Whole key={shown.title} of={shown} report={report} />}
        {published.length > 0 && (
          <section className="stack" aria-labelledby="published">
            <h2 id="published" className="heading">
              {i18n.t('Published by others')}
            </h2>
            {published.map((sentence) => (
              <p key={sentence} className="readable pretty">
                {sentence}
              </p>
            ))}
          </section>
        )}
        <Runs report={report} lab={lab} />
      </div>
    </Page>
  )
}

function Made({ report: { made, states } }: { report: OpenReport }) {
  const facts = states.findLast((run) => run.facts !== null)?.facts ?? null
  return (
    <FactList
      facts={[
        ...(made === null
          ? []
          : [
              [
                i18n.t('Report'),
                i18n.t('by Expresslane {version}, {time}', { version: made.by, time: formatTime(made.at) }),
              ] as const,
            ]),
        [i18n.t('Where'), facts?.name ?? null],
        [i18n.t('Kernel'), facts === null ? null : kernelWords(facts)],
        ['CPU', facts === null ? null : `${facts.cpu.count} × ${facts.cpu.model}`],
      ]}
    />
  )
}

function Comparisons({ of, shown }: { of: readonly ShownComparison[]; shown: ShownComparison | undefined }) {
  return (
    <div className="stack">
      <h2 className="heading">{i18n.t('Comparisons')}</h2>
      <Table
        label={i18n.t('Comparisons')}
        columns={[i18n.t('Comparison'), i18n.t('Verdict')]}
        lines={of.map((one, place) => ({
          key: place,
          cells: [
            <Link
              key="title"
              to={{ search: `?${SHOWN}=${place}` }}
              replace
              aria-current={one === shown ? 'true' : undefined}
            >
              {one.title}
            </Link>,
            <VerdictMark key="verdict" verdict={one.comparison.verdict} />,
          ],
        }))}
      />
    </div>
  )
}

/** Arms have the hues that they have in their experiment. */
function looksOf({ run, comparison: { off, on } }: ShownComparison, { states }: OpenReport): SideLooks | undefined {
  const arms = states.find(({ id }) => id === run)?.plan?.arms
  return arms === undefined || off.arm === on.arm
    ? undefined
    : { off: lookAmong(arms, off.arm), on: lookAmong(arms, on.arm) }
}

function Whole({ of, report }: { of: ShownComparison; report: OpenReport }) {
  const { title, comparison, differences, caution, opinion, run } = of
  const looks = looksOf(of, report)
  return (
    <Card labelledBy="whole">
      <div className="stack">
        <h2 id="whole">{capitalized(title)}</h2>
        <DifferencesNotice compared={{ differences, sameArm: caution }} together={run !== null} />
        <ComparisonView
          comparison={comparison}
          beside={opinion === null ? null : <SecondOpinion {...opinion} />}
          {...(looks !== undefined && { looks })}
        />
      </div>
    </Card>
  )
}

function SecondOpinion({ sentence, meaning }: NonNullable<ShownComparison['opinion']>) {
  return (
    <Notice tone="info" title={i18n.t('Second opinion: {sentence}', { sentence })}>
      <p>{meaning in i18n.messages ? i18n.t(meaning) : meaning}</p>
    </Notice>
  )
}

function Runs({ report: { states, titles }, lab }: { report: OpenReport; lab: Lab | undefined }) {
  const nameOf = ({ id, stepId }: RunState): string =>
    lab?.steps.find((step) => step.id === stepId)?.title ?? titles.get(id) ?? stepId
  return (
    <div className="stack">
      <h2 className="heading">{i18n.t('Runs')}</h2>
      <Table
        label={i18n.t('Runs')}
        columns={[i18n.t('Step'), i18n.t('Result'), i18n.t('Started'), { name: i18n.t('Duration'), number: true }]}
        lines={states.map((run) => ({
          key: run.id,
          cells: [
            <Link key="step" to={`/runs/${run.id}`}>
              {nameOf(run)}
            </Link>,
            <RunBadge
              key="result"
              look={lookOf({ state: run.state, passed: run.outcome === null || hasPassed(run) })}
            />,
            formatTime(run.startedAt),
            run.endedAt === null || isOpen(run) ? '–' : formatDuration(run.endedAt - run.startedAt),
          ],
        }))}
      />
    </div>
  )
}
