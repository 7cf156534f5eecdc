import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { briefWords } from '@expresslane/shared/compare/brief'
import { FOUND_TITLE, foundIn } from '@expresslane/shared/report/across-labs'
import { downloadFound } from '@expresslane/shared/wire/protocol'
import { Link } from 'react-router'
import { useLabs, useMe, useSessions } from '../api/queries.ts'
import { addressOf } from '../api/request.ts'
import { Card, Empty, Page } from '../components/card.tsx'
import { Button, Skeleton } from '../components/controls.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { formatDay, testbedName } from '../words/format.ts'

/** The latest verdict of each lab, to read and to take away. */
export function FoundPage() {
  const labs = useLabs()
  const sessions = useSessions()
  const me = useMe().data
  const failed = [labs, sessions].find(({ error }) => error !== null)
  // An instructor reads everybody's sessions.
  const own = me && sessions.data?.sessions.filter(({ owner }) => owner === me.id)
  const found = own === undefined || labs.data === undefined ? null : foundIn(labs.data.labs, own)
  const report = (format: 'html' | 'md'): string => addressOf(downloadFound, { query: { format } })
  return (
    <Page>
      <div className="stack apart">
        <div className="row between">
          <h1>{i18n.t(FOUND_TITLE)}</h1>
          {found !== null && found.length > 0 && (
            <div className="row">
              <Button component="a" variant="default" href={report('html')} download>
                {i18n.t('Save as HTML')}
              </Button>
              <Button component="a" variant="default" href={report('md')} download>
                {i18n.t('Save as Markdown')}
              </Button>
            </div>
          )}
        </div>
        {failed !== undefined && <FetchProblem error={failed.error} retry={() => void failed.refetch()} />}
        {found === null && failed === undefined && <Skeleton height={320} />}
        {found?.length === 0 && (
          <Empty title={i18n.t('No lab has a verdict yet')}>
            <Trans
              id="Finish <0>a lab</0> with measurements of your own. Playbacks of recordings do not count here."
              components={{ 0: <Link to="/" /> }}
            />
          </Empty>
        )}
        {found?.map(({ lab, session, verdict }) => (
          <Card key={lab.id} labelledBy={`found-${lab.id}`}>
            <div className="stack">
              <div className="row between baseline">
                <h2 id={`found-${lab.id}`}>
                  <Link to={`/labs/${lab.id}/sessions/${session.id}/summary`}>{lab.title}</Link>
                </h2>
                <strong className="large">{briefWords(verdict)}</strong>
              </div>
              <p className="muted pretty">{lab.question}</p>
              <p className="readable pretty">{verdict.sentence}</p>
              <p className="muted break-anywhere">
                {testbedName(session.testbed)}, {formatDay(verdict.at)}
              </p>
            </div>
          </Card>
        ))}
      </div>
    </Page>
  )
}
