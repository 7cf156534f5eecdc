import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { ACROSS_CLOCKS } from '@expresslane/shared/measure/counted-words'
import { formatSideName, parseSideName, sideOf, type SideName } from '@expresslane/shared/run/sides'
import type { RunState } from '@expresslane/shared/run/run-state'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Button } from '../components/controls.tsx'
import { IconArrowsExchange } from '../icons.tsx'
import { Link, useSearchParams } from 'react-router'
import { useRun } from '../api/queries.ts'
import { Card, Empty, Page } from '../components/card.tsx'
import { Notice } from '../components/notice.tsx'
import { PageSkeleton } from '../components/frame/page-skeleton.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import {
  compareInHues,
  ComparisonView,
  DifferencesNotice,
  Published,
  SideCard,
  type RunChoice,
} from '../compare/index.ts'
import { CountedNote, ExportMenu, reportPath } from '../result/index.ts'
import { RecordingBanner } from '../recordings/index.ts'
import { armLook } from '../theme.ts'
import classes from './compare-page.module.css'

/**
 * Compares any two measurements, the first as "before". The address contains both, so that it can be shared.
 *
 * @param runs the runs to choose the sides from, where there is no history
 */
export function ComparePage({ runs = [] }: { runs?: readonly RunChoice[] }) {
  const [search] = useSearchParams()
  const a = parseSideName(search.get('a'))
  const b = parseSideName(search.get('b'))
  if (a !== null && b !== null) return <TwoSides a={a} b={b} runs={runs} />
  return (
    <Page>
      <h1 className={classes.title}>{i18n.t('Compare')}</h1>
      <Empty title={i18n.t('Select two measurements')}>
        <Trans
          id="Select two measurements in <0>the history</0> to compare them."
          components={{ 0: <Link to="/history" /> }}
        />
      </Empty>
    </Page>
  )
}

function TwoSides({ a, b, runs }: { a: SideName; b: SideName; runs: readonly RunChoice[] }) {
  const [, setSearch] = useSearchParams()
  const before = useRun(a.run)
  const after = useRun(b.run)
  const show = (first: SideName, second: SideName, replace: boolean): void =>
    setSearch({ a: formatSideName(first), b: formatSideName(second) }, { replace })
  const failed = [before, after].find(({ error }) => error !== null)
  if (failed !== undefined) {
    return (
      <Page>
        <h1 className={classes.title}>{i18n.t('Compare')}</h1>
        <FetchProblem error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    )
  }
  if (before.data === undefined || after.data === undefined) return <PageSkeleton />
  const sides = { off: sideOf(before.data, a), on: sideOf(after.data, b) }
  const compared = sides.off === null || sides.on === null ? null : compareInHues(sides.off, sides.on)
  const looks = compared?.looks ?? { off: armLook('before', 0), on: armLook('after', 1) }
  return (
    <Page>
      <PlayedBack sides={[before.data, after.data]} />
      <div className={`${classes.head} row between top`}>
        <h1 className={classes.title}>{i18n.t('Compare')}</h1>
        <div className="row top">
          <ExportMenu path={reportPath.comparison(formatSideName(a), formatSideName(b))} />
          <Button
            variant="default"
            leftSection={<IconArrowsExchange size={18} aria-hidden />}
            onClick={() => show(b, a, false)}
          >
            {i18n.t('Swap')}
          </Button>
        </div>
      </div>
      <div className={classes.pair}>
        <SideCard
          side="before"
          run={before.data}
          name={a}
          look={looks.off}
          runs={runs}
          onChoose={(chosen) => show(chosen, b, true)}
        />
        <SideCard
          side="after"
          run={after.data}
          name={b}
          look={looks.on}
          runs={runs}
          onChoose={(chosen) => show(a, chosen, true)}
        />
      </div>
      <h2 className="hidden">{i18n.t('Difference')}</h2>
      {compared === null ? (
        <NotYet measured={before.data.repeats.length > 0 && after.data.repeats.length > 0} />
      ) : (
        <>
          <DifferencesNotice compared={compared} together={a.run === b.run} />
          <Compared compared={compared} />
          <CountedNote runs={[before.data, after.data]} />
        </>
      )}
    </Page>
  )
}

function PlayedBack({ sides }: { sides: readonly RunState[] }) {
  const recorded = sides.find(({ testbed }) => propertiesOf(testbed).isRecorded)
  return recorded === undefined ? null : <RecordingBanner testbed={recorded.testbed} run={recorded} />
}

function NotYet({ measured }: { measured: boolean }) {
  return measured ? (
    <Empty title={i18n.t('Choose what to compare')}>{i18n.t('Choose an arm and a case for each side above.')}</Empty>
  ) : (
    <Empty title={i18n.t('Nothing to compare')}>{i18n.t('At least one side has no measurement.')}</Empty>
  )
}

function Compared({
  compared: { comparison, differences, looks, published, acrossClocks },
}: {
  compared: ReturnType<typeof compareInHues>
}) {
  if (acrossClocks) {
    return (
      <Notice tone="bad" title={i18n.t(ACROSS_CLOCKS.title)} role="alert">
        <p>{i18n.t(ACROSS_CLOCKS.words)}</p>
      </Notice>
    )
  }
  if (comparison === null) {
    return (
      <Empty title={i18n.t('Nothing to compare')}>
        {i18n.t('The two sides have no metric in common, because their benchmarks measure different things.')}
      </Empty>
    )
  }
  const count = differences.length
  const caution =
    count === 0
      ? null
      : i18n.t(
          '{count, plural, one {# other condition differs} other {# other conditions differ}} (see above). Any of them can be the cause of the change.',
          { count },
        )
  return (
    <Card>
      <ComparisonView
        comparison={comparison}
        looks={looks}
        published={<Published beside={published} />}
        caution={caution}
      />
    </Card>
  )
}
