import { i18n } from '@expresslane/shared/base/language'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { IconPlayerTrackNext } from '../icons.tsx'
import { createContext, use, type ReactNode } from 'react'
import { originWords, recordingOf } from './recorded.ts'
import classes from './recordings.module.css'
import { useRecordings } from './use-recordings.ts'

/** Stays at the bottom of the window, so that it is always visible. On a phone it is one line: `said` alone. */
function Strip({ said, children }: { said: string; children: ReactNode }) {
  return (
    <aside className={`${classes.strip} row one-line`} aria-label={i18n.t('A recording')}>
      <IconPlayerTrackNext size={22} stroke={1.8} aria-hidden className="fixed" />
      <p>
        <strong>{said}</strong> <span className={classes.rest}>{children}</span>
      </p>
    </aside>
  )
}

export interface RecordingBannerProps {
  /** The shown run; null before the first playback. */
  run: RunState | null
  /** The testbed that plays the recording. */
  testbed: TestbedId
}

/** A bar in place of the banner, for a page that moves in the time of a recording. */
export const RecordingBar = createContext<((props: RecordingBannerProps) => ReactNode) | null>(null)

/** Shows that a run was played back, and where and when it was measured. */
export function RecordingBanner(props: RecordingBannerProps) {
  return use(RecordingBar)?.(props) ?? <Banner {...props} />
}

function Banner({ testbed, run }: RecordingBannerProps) {
  const { data } = useRecordings()
  const origin = originWords(recordingOf(data?.recordings ?? [], testbed), run)
  return (
    <Strip said={i18n.t('A recording. Nothing is measured now.')}>
      {origin !== null && `${i18n.t('It was measured on {origin}.', { origin })} `}
      {run !== null && i18n.t('It is played back at {speed}×.', { speed: run.params.speed ?? 1 })}
    </Strip>
  )
}

/** For a list with played-back runs. */
export function PlayedBackNotice() {
  return (
    <Strip said={i18n.t('Runs marked “recording” were played back.')}>
      {i18n.t('Their figures date from the original measurement.')}
    </Strip>
  )
}

/** Marks a played-back run in a list. */
export function RecordingMark() {
  return <span className={classes.mark}>{i18n.t('recording')}</span>
}
