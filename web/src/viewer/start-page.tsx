import { i18n } from '@expresslane/shared/base/language'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { useLabs } from '../api/queries.ts'
import { groupsOf, LabPicture } from '../catalogue/index.ts'
import { Card, Page } from '../components/card.tsx'
import { Button, TextInput } from '../components/controls.tsx'
import { LanguageChoice } from '../components/language-choice.tsx'
import { Notice } from '../components/notice.tsx'
import { ChangeProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { FilePick, originWords } from '../recordings/index.ts'
import { formatDuration } from '../words/format.ts'
import { keepInAddress, resultAddress, type Source, type Wanted } from './address.ts'
import type { Shipped } from './shipped.ts'
import classes from './start-page.module.css'
import { TryHere } from './try-here.tsx'
import { useSources, useTab } from './use-tab.ts'

/** Opens a recording and goes to its result. */
function useOpen(wanted: Wanted) {
  const tab = useTab()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (source: Source) => tab.open(source),
    onSuccess(shown) {
      void navigate(wanted.files.includes(shown.name) ? wanted.path : resultAddress(shown))
    },
  })
}
type Opening = ReturnType<typeof useOpen>

/** @param wanted the recordings of the link that the reader followed */
export function StartPage({
  wanted,
  shipped: { recordings, connects, machine },
}: {
  wanted: Wanted
  shipped: Shipped
}) {
  const open = useOpen(wanted)
  const labs = useLabs()
  const listed = (labs.data?.labs ?? []).filter(({ id }) => recordings.some(({ lab }) => lab === id))
  return (
    <Page>
      <div className="stack apart">
        <div className="stack">
          <h1>{i18n.t('See how it was measured')}</h1>
          <p className="pretty">
            {i18n.t(
              'Recordings of network benchmark labs: real tools on a real datapath, with every command and every sample. This page needs no server, and sends nothing anywhere.',
            )}
          </p>
        </div>
        {wanted.problems.map((problem) => (
          <ProblemNotice key={problem.message} problem={problem} role="alert" />
        ))}
        {wanted.files.map((name) => (
          <Notice key={name} tone="info" title={i18n.t('This link is to a recording in a file')} role="status">
            <p>{i18n.t('Open the file here, and the page goes to the linked place.')}</p>
          </Notice>
        ))}
        {machine !== null && <TryHere machine={machine} labs={labs.data?.labs ?? []} />}
        <OpenRecordings />
        <OwnFile open={open} connects={connects} />
        <ChangeProblem of={open} />
        {groupsOf(listed).map(({ id, title, labs: inTrack }) => (
          <section key={id} aria-labelledby={`track-${id}`} className="stack">
            <h2 id={`track-${id}`} className="heading">
              {title}
            </h2>
            <ul role="list" className={classes.grid}>
              {inTrack.flatMap((lab) =>
                recordings
                  .filter((one) => one.lab === lab.id)
                  .map((recording) => (
                    <li key={recording.id} className="surface">
                      <ShippedCard recording={recording} title={lab.title} question={lab.question} open={open} />
                    </li>
                  )),
              )}
            </ul>
          </section>
        ))}
        <LanguageChoice />
      </div>
    </Page>
  )
}

interface ShippedProps {
  recording: RecordingView
  title: string
  question: string
  open: Opening
}

function ShippedCard({ recording, title, question, open }: ShippedProps) {
  const { id, name, picture, lastsMs } = recording
  return (
    <article className={`${classes.card} stack`}>
      <h3>{title}</h3>
      <p className="medium pretty">{question}</p>
      {picture !== null && <LabPicture of={picture} name={title} />}
      <p className="muted break-anywhere">
        {i18n.t('On {origin}. {time} at 1×.', { origin: originWords(recording, null), time: formatDuration(lastsMs) })}
      </p>
      <div>
        <Button
          variant="default"
          loading={
            open.isPending &&
            open.variables !== undefined &&
            'shipped' in open.variables &&
            open.variables.shipped === id
          }
          aria-label={i18n.t('Open: {name}', { name })}
          onClick={() => open.mutate({ shipped: id })}
        >
          {i18n.t('Open')}
        </Button>
      </div>
    </article>
  )
}

/** Opens a file of the reader's, or an address. */
function OwnFile({ open, connects }: { open: Opening; connects: boolean }) {
  const sources = useSources()
  function load(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const url = new FormData(event.currentTarget).get('url')
    if (typeof url !== 'string') return
    // A new page: only then may it connect to this address.
    keepInAddress([...sources.map(({ name }) => name), url])
    location.reload()
  }
  return (
    <Card>
      <FilePick
        label={i18n.t('Open a file')}
        hint={i18n.t('or drop it anywhere on this page')}
        dropWords={i18n.t('Drop the file to open it')}
        variant="filled"
        loading={open.isPending && open.variables !== undefined && 'file' in open.variables}
        onFile={(file) => open.mutate({ file })}
      />
      {connects && (
        <form onSubmit={load} className={`${classes.address} row bottom`}>
          <TextInput name="url" type="url" label={i18n.t('Address of a recording')} required pattern="https?://.+" />
          <Button type="submit" variant="default">
            {i18n.t('Load')}
          </Button>
        </form>
      )}
    </Card>
  )
}

function OpenRecordings() {
  const tab = useTab()
  const sources = useSources()
  if (sources.length === 0) return null
  return (
    <section aria-labelledby="open-recordings" className="stack">
      <h2 id="open-recordings" className="heading">
        {i18n.t('Open now')}
      </h2>
      <ul role="list">
        {sources.map((source) => (
          <li key={source.name} className="row between ruled">
            <Link to={resultAddress(source)}>{source.title}</Link>
            <Button
              variant="subtle"
              aria-label={i18n.t('Close: {name}', { name: source.title })}
              onClick={() => tab.close(source)}
            >
              {i18n.t('Close')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
