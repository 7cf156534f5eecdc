import { i18n } from '@expresslane/shared/base/language'
import { beginSession, type TestbedView } from '@expresslane/shared/wire/protocol'
import { downloadRecording } from '@expresslane/shared/wire/recordings'
import { addressOf, call } from '../api/request.ts'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { Button, Skeleton } from '../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useHolder } from '../api/live.tsx'
import { useIsInstructor, useLabs, type TestbedChange } from '../api/queries.ts'
import { formatDuration } from '../words/format.ts'
import { ChangeProblem, FetchProblem } from '../components/problem-notice.tsx'
import { originWords } from './recorded.ts'
import { RecordingImport } from './recording-import.tsx'
import classes from './recordings.module.css'
import { useRecordingChange, useRecordings } from './use-recordings.ts'

interface RecordingListProps {
  /** Null while it loads; importing is already possible. */
  testbed: TestbedView | null
  change: TestbedChange
}

/** The recordings of this server: choose, play back, import and remove. */
export function RecordingList({ testbed, change }: RecordingListProps) {
  const list = useRecordings()
  const instructor = useIsInstructor()
  const changes = useRecordingChange(change)
  const held = useHolder(testbed?.id ?? null) !== null
  return (
    <>
      <p className="muted break-anywhere">
        {i18n.t(
          'Real runs, played back on the same pages at 1 to 20 times the original speed. Nothing is measured during playback, and every page shows that.',
        )}
      </p>
      {instructor && <RecordingImport add={changes.add} />}
      {list.isPending && <Skeleton height={140} />}
      {list.error !== null && <FetchProblem error={list.error} retry={() => void list.refetch()} />}
      <ul role="list" aria-label={i18n.t('Recordings')}>
        {list.data?.recordings.map((recording) => (
          <li key={recording.id} className={`${classes.line} row between ruled`}>
            <Line recording={recording} testbed={testbed} change={change} remove={changes.remove} />
          </li>
        ))}
      </ul>
      {held && (
        <p className="muted break-anywhere">
          {i18n.t('A recording is being played back. You can choose another one when it has ended.')}
        </p>
      )}
      <ChangeProblem of={change.move} />
      <ChangeProblem of={changes.remove} />
    </>
  )
}

interface LineProps extends RecordingListProps {
  recording: RecordingView
  remove: ReturnType<typeof useRecordingChange>['remove']
}

function Line({ recording, testbed, change, remove }: LineProps) {
  const { id, name, lab: labId, runs, lastsMs, shipped } = recording
  const labs = useLabs()
  const instructor = useIsInstructor()
  const lab = labs.data?.labs.find((one) => one.id === labId)
  const chosen = testbed?.context === id
  const held = useHolder(testbed?.id ?? null) !== null
  const moving = change.move.isPending && change.move.variables === id
  return (
    <>
      <div className={classes.about}>
        <p className="strong break-anywhere">
          {name} {chosen && <span className={classes.mark}>{i18n.t('chosen')}</span>}
        </p>
        <p className="muted break-anywhere">
          {i18n.t('On {origin}. {runs, plural, one {# run} other {# runs}}, {time} at 1×.', {
            origin: originWords(recording, null),
            runs,
            time: formatDuration(lastsMs),
          })}
          {lab === undefined && ` ${i18n.t('This server does not have the lab.')}`}
        </p>
      </div>
      <div className="row">
        {chosen || !instructor ? (
          <StartLab id={id} labId={labId} name={name} known={lab !== undefined} />
        ) : (
          <Button
            variant="default"
            disabled={testbed === null || held}
            loading={moving}
            aria-label={i18n.t('Choose: {name}', { name })}
            onClick={() => change.move.mutate(id)}
          >
            {i18n.t('Choose')}
          </Button>
        )}
        <Button
          component="a"
          variant="subtle"
          href={addressOf(downloadRecording, { params: { id } })}
          download
          aria-label={i18n.t('Download: {name}', { name })}
        >
          {i18n.t('Download')}
        </Button>
        {!shipped && instructor && (
          <Button
            variant="subtle"
            disabled={held && chosen}
            loading={remove.isPending && remove.variables === id}
            aria-label={i18n.t('Remove: {name}', { name })}
            onClick={() => remove.mutate(id)}
          >
            {i18n.t('Remove')}
          </Button>
        )}
      </div>
    </>
  )
}

function StartLab({ id, labId, name, known }: { id: string; labId: string; name: string; known: boolean }) {
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () =>
      call(beginSession, {
        body: { labId, testbed: formatTestbedId({ kind: 'recording', context: id, owner: null }) },
      }),
    onSuccess: ({ session }) => navigate(`/labs/${labId}/sessions/${session.id}`),
  })
  return (
    <>
      <Button
        variant="default"
        disabled={!known}
        loading={create.isPending}
        aria-label={i18n.t('Play back: {name}', { name })}
        onClick={() => create.mutate()}
      >
        {i18n.t('Play back')}
      </Button>
      <ChangeProblem of={create} />
    </>
  )
}
