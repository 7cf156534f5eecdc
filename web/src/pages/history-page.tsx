import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { RunId } from '@expresslane/shared/run/events'
import type { RunsQuery } from '@expresslane/shared/wire/protocol'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Button, Checkbox, Skeleton } from '../components/controls.tsx'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type RunsFilter, useDataDirectory, useLabs, useRuns } from '../api/queries.ts'
import { Card, Empty, Page } from '../components/card.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { SelectField } from '../components/select-field.tsx'
import { PlayedBackNotice } from '../recordings/index.ts'
import { DataNotices, linesOf, RunsTable, StoreSize } from '../history/index.ts'
import classes from './history-page.module.css'

const states: readonly NonNullable<RunsQuery['state']>[] = [
  /*i18n*/ 'queued',
  /*i18n*/ 'running',
  /*i18n*/ 'completed',
  /*i18n*/ 'failed',
  /*i18n*/ 'cancelled',
  /*i18n*/ 'interrupted',
]

/** Playbacks of recordings are hidden until somebody asks for them. */
const own: RunsFilter = { recorded: 'false' }

function Picked({ runs }: { runs: readonly RunId[] }) {
  // The older run is "before", in whichever order they were selected. Ids sort by time.
  const [a, b] = runs.toSorted()
  return (
    <div className={`${classes.compare} row muted`}>
      <span role="status">
        {runs.length === 0
          ? i18n.t('Select two measurements to compare')
          : i18n.t('{count} of 2 selected', { count: runs.length })}
      </span>
      {a !== undefined && b !== undefined ? (
        <Button component={Link} to={`/compare?a=${a}&b=${b}`}>
          {i18n.t('Compare these two')}
        </Button>
      ) : (
        <Button disabled>{i18n.t('Compare these two')}</Button>
      )}
    </div>
  )
}

/** All runs, to filter, open and compare. */
export function HistoryPage() {
  const [filter, setFilter] = useState<RunsFilter>(own)
  const [picked, setPicked] = useState<readonly RunId[]>([])
  const labs = useLabs()
  const runs = useRuns(filter)
  const store = useDataDirectory().data
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = runs
  const lines = useMemo(() => linesOf(data?.pages ?? []), [data])
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const { recorded, ...narrower } = filter
  const filtered = Object.keys(narrower).length > 0
  const narrow = (part: { [Key in keyof RunsFilter]: RunsFilter[Key] | undefined }): void => {
    const kept = Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined)
    setFilter(Object.fromEntries(kept))
  }
  const pick = useCallback(
    (id: RunId): void =>
      setPicked((was) => (was.includes(id) ? was.filter((one) => one !== id) : [...was, id].slice(-2))),
    [],
  )
  return (
    <Page>
      {lines.some(({ head }) => head && propertiesOf(head.testbed).isRecorded) && <PlayedBackNotice />}
      <div className={`${classes.title} row between baseline`}>
        <h1>{i18n.t('History')}</h1>
        <Link to="/found">{i18n.t('What you found out on this machine')}</Link>
      </div>
      {store !== undefined && <DataNotices data={store} />}
      {store !== undefined && <StoreSize data={store} />}
      <div className={`${classes.bar} row`}>
        <SelectField
          label={i18n.t('Lab')}
          value={filter.lab ?? ''}
          options={[
            ['', i18n.t('All labs')],
            ...(labs.data?.labs ?? []).map(({ id, title }): [string, string] => [id, title]),
          ]}
          onChange={(lab) => narrow({ lab: lab === '' ? undefined : lab })}
        />
        <SelectField
          label={i18n.t('State')}
          value={filter.state ?? ''}
          options={[['', i18n.t('Any state')], ...states.map((state): [string, string] => [state, i18n.t(state)])]}
          onChange={(chosen) => narrow({ state: states.find((state) => state === chosen) })}
        />
        <Checkbox
          label={i18n.t('Measurements only')}
          checked={filter.measured === 'true'}
          onChange={(event) => narrow({ measured: event.currentTarget.checked ? 'true' : undefined })}
        />
        <Checkbox
          label={i18n.t('Show playbacks')}
          checked={recorded === undefined}
          onChange={(event) => narrow({ recorded: event.currentTarget.checked ? undefined : 'false' })}
        />
        <Picked runs={picked} />
      </div>
      {runs.error !== null && (
        <FetchProblem error={runs.error} retry={() => void (isFetchNextPageError ? fetchNextPage() : runs.refetch())} />
      )}
      {runs.isPending && <Skeleton height={320} />}
      {runs.isSuccess && lines.length === 0 && (
        <Empty title={filtered ? i18n.t('No runs match the filter') : i18n.t('No runs yet')}>
          {filtered ? (
            i18n.t('Change the filter to see more runs.')
          ) : (
            <Trans
              id="Start with <0>a lab</0>. All its runs appear here; playbacks of recordings only if you ask for them."
              components={{ 0: <Link to="/" /> }}
            />
          )}
        </Empty>
      )}
      {lines.length > 0 && (
        <Card>
          <RunsTable lines={lines} labs={labs.data?.labs ?? []} picked={picked} onPick={pick} onEnd={more} />
          <p className={`${classes.more} muted center`} role="status">
            {isFetchingNextPage ? i18n.t('Loading older runs…') : ''}
          </p>
        </Card>
      )}
    </Page>
  )
}
