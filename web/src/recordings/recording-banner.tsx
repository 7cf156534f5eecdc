import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { originWords, recordingOf } from './recorded.ts'
import classes from './recording-banner.module.css'
import { useRecordings } from './use-recordings.ts'

/** At the bottom of the window whatever is scrolled, so that the last row of a room sees it, too. */
function Strip({ children }: { children: ReactNode }) {
  return (
    <aside className={classes.strip} aria-label="A recording">
      <IconPlayerTrackNext size={22} stroke={1.8} aria-hidden className={classes.icon} />
      <p>{children}</p>
    </aside>
  )
}

interface RecordingBannerProps {
  /** What is shown; null while nothing was played back yet. */
  run: RunState | null
  /** What plays it back. */
  testbed: TestbedId
}

/** Says that what is shown was played back, and where and when it was measured. */
export function RecordingBanner({ testbed, run }: RecordingBannerProps) {
  const { data } = useRecordings()
  const origin = originWords(recordingOf(data?.recordings ?? [], testbed), run)
  return (
    <Strip>
      <strong>A recording{origin === null ? '' : ':'}</strong>
      {origin !== null && ` measured on ${origin}`}
      {run !== null && `, played back at ${run.params.speed ?? 1}×`}. <strong>Nothing is measured now.</strong>
    </Strip>
  )
}

/** For a list where some lines were played back. */
export function PlayedBackNotice() {
  return (
    <Strip>
      <strong>Lines marked “recording” were played back.</strong> Their figures were measured when they were recorded.
    </Strip>
  )
}

/** Marks one line of such a list. */
export function RecordingMark() {
  return <span className={classes.mark}>recording</span>
}
