import { i18n } from '@expresslane/shared/base/language'
import { Button } from '../components/controls.tsx'
import { IconFileExport } from '../icons.tsx'
import { useEffect } from 'react'
import { Link, Route, Routes } from 'react-router'
import { useLabs } from '../api/queries.ts'
import { roomFile, useAudit, useRoom } from '../api/room.ts'
import { AuditTable, Board } from '../classroom/index.ts'
import { Card, Empty, Page } from '../components/card.tsx'
import { PageSkeleton } from '../components/frame/page-skeleton.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import classes from './room-page.module.css'

/** The instructor's pages of the workshop. */
export function RoomPage() {
  return (
    <Routes>
      <Route index element={<BoardPage />} />
      <Route path="audit" element={<AuditPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}

/** Look and Help lead to a participant's lab, which then shows without delay. */
function preloadLabPage(): void {
  import('./lab-page.tsx').catch(() => {})
}

function BoardPage() {
  useEffect(preloadLabPage, [])
  const room = useRoom()
  const labs = useLabs()
  const failed = [room, labs].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) {
    return (
      <Page>
        <h1 className="hidden">{i18n.t('The room')}</h1>
        <FetchProblem error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    )
  }
  if (room.data === undefined || labs.data === undefined) return <PageSkeleton />
  return <Board room={room.data} labs={labs.data.labs.filter(({ listed }) => listed)} at={room.dataUpdatedAt} />
}

function AuditPage() {
  const audit = useAudit()
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Page>
      <p>
        <Link to="/room">{i18n.t('Back to the room')}</Link>
      </p>
      <div className={`${classes.head} row between`}>
        <h1>{i18n.t('Audit log')}</h1>
        <Button
          component="a"
          variant="default"
          href={roomFile.audit}
          download
          leftSection={<IconFileExport size={18} stroke={1.8} aria-hidden />}
        >
          {i18n.t('Export as CSV')}
        </Button>
      </div>
      {audit.error !== null && <FetchProblem error={audit.error} retry={() => void audit.refetch()} />}
      {audit.isSuccess && entries.length === 0 && (
        <Empty title={i18n.t('Nothing yet')}>{i18n.t('Every change is recorded here.')}</Empty>
      )}
      {entries.length > 0 && (
        <Card>
          <AuditTable entries={entries} />
          {audit.hasNextPage && (
            <p className={`${classes.more} center`}>
              <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
                {i18n.t('Show older entries')}
              </Button>
            </p>
          )}
        </Card>
      )}
    </Page>
  )
}
