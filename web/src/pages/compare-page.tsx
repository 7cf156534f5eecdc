import { runId as runIdSchema, type RunId } from '@expresslane/shared/events'
import type { RunState } from '@expresslane/shared/run-state'
import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { useLabs, useRun } from '../api/queries.ts'
import { Card, Empty, Page } from '../components/card.tsx'
import { formatTime } from '../components/format.ts'
import { Notice } from '../components/notice.tsx'
import { PageSkeleton } from '../components/page-skeleton.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { compareRuns } from '../lab/compare-runs.ts'
import { ComparisonView } from '../lab/comparison-view.tsx'
import { armLook } from '../theme.ts'
import classes from './compare-page.module.css'

/** Any two measurements, the first as "before". */
export function ComparePage() {
  const [search] = useSearchParams()
  const a = runIdSchema.safeParse(search.get('a'))
  const b = runIdSchema.safeParse(search.get('b'))
  if (a.success && b.success) return <TwoRuns a={a.data} b={b.data} />
  return (
    <Page>
      <h1 className={classes.title}>Compare</h1>
      <Empty title="Two measurements are needed">
        Pick them in <Link to="/history">the history</Link>.
      </Empty>
    </Page>
  )
}

function TwoRuns({ a, b }: { a: RunId; b: RunId }) {
  const [, setSearch] = useSearchParams()
  const before = useRun(a)
  const after = useRun(b)
  const failed = [before, after].find(({ error }) => error !== null)
  if (failed !== undefined) {
    return (
      <Page>
        <h1 className={classes.title}>Compare</h1>
        <FetchProblem error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    )
  }
  if (before.data === undefined || after.data === undefined) return <PageSkeleton />
  const { comparison, differences, sentence } = compareRuns(before.data, after.data)
  return (
    <Page>
      <div className={classes.head}>
        <h1 className={classes.title}>Compare</h1>
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={18} aria-hidden />}
          onClick={() => setSearch({ a: b, b: a })}
        >
          Swap
        </Button>
      </div>
      <div className={classes.pair}>
        <Side side="Before" run={before.data} arm="off" />
        <Side side="After" run={after.data} arm="on" />
      </div>
      {differences.length > 0 && (
        <Notice tone="warn" title="These two were not measured alike" role="status">
          <ul className={classes.differences}>
            {differences.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Notice>
      )}
      <h2 className="hidden">Difference</h2>
      {comparison === null ? (
        <Empty title="Nothing to compare">One of the two has no finished repeat.</Empty>
      ) : (
        <Card>
          <ComparisonView comparison={comparison} names={{ off: 'Before', on: 'After' }} sentence={sentence} />
        </Card>
      )}
    </Page>
  )
}

function Side({ side, run, arm }: { side: string; run: RunState; arm: 'off' | 'on' }) {
  const labs = useLabs()
  const lab = labs.data?.labs.find(({ id }) => id === run.labId)
  const measured = run.repeats[0]?.arm
  return (
    <div className={classes.side} data-arm={arm}>
      <p className={classes.sideName}>{side}</p>
      <p>
        <Link to={`/runs/${run.id}`}>{lab?.title ?? run.labId}</Link>
        {measured !== undefined && `, ${armLook(measured).name.replace(/^W/, 'w')}`}
      </p>
      <p className={classes.when}>{formatTime(run.startedAt)}</p>
    </div>
  )
}
