import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useLabs } from '../api/queries.ts'
import { Button, IconButton } from '../components/controls.tsx'
import { IconLink, IconListSearch, IconPlayerPause, IconPlayerPlay } from '../icons.tsx'
import type { RecordingBannerProps } from '../recordings/index.ts'
import { addressOf, AT, formatPlace } from './address.ts'
import type { TimedRun } from './file/timeline.ts'
import { OutputSearch } from './output-search.tsx'
import type { Player } from './player.ts'
import classes from './timeline-bar.module.css'
import { usePlayer, usePlayerState } from './use-tab.ts'

/** A time that stays this long is where somebody rests: a new address draws the whole page again. */
const REST_MS = 250

const speeds = [1, 2, 5, 10, 20]

/** In the place of the app's banner: moves in the time of the recording. Pages of whole runs have no time to move in. */
export function TimelineBar({ testbed }: RecordingBannerProps) {
  const player = usePlayer(testbed)
  const { pathname } = useLocation()
  const moves = player !== null && pathname.startsWith(addressOf(player.opened, ''))
  return moves ? <Bar key={player.name} player={player} /> : null
}

/** The run at a time: the latest that has begun. */
function runAt({ opened: { runs } }: Player, at: number): TimedRun | null {
  return runs.findLast(({ from }) => from <= at) ?? null
}

function titleOf(lab: Lab | undefined, stepId: string): string {
  return lab?.steps.find(({ id }) => id === stepId)?.title ?? stepId
}

/** Goes to the time of the address, and keeps the address at the time once it rests. */
function useTimeInAddress(player: Player, at: number, playing: boolean): void {
  const [search, setSearch] = useSearchParams()
  const { pathname } = useLocation()
  const asked = Number(search.get(AT) ?? Number.NaN)
  const first = useRef(true)
  useEffect(() => {
    // A comparison shows whole runs: from there a reader comes back to the time of before.
    if (first.current) void player.seek(Number.isFinite(asked) ? asked : player.state().at)
    first.current = false
  }, [player, asked])
  useEffect(() => {
    if (playing) return undefined
    const timer = setTimeout(() => {
      // Else the reader has left for a page that still loads, and would come back.
      if (location.hash.split('?')[0] !== `#${pathname}`) return
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (at === player.opened.result.to) next.delete(AT)
          else next.set(AT, `${at}`)
          return next
        },
        { replace: true },
      )
    }, REST_MS)
    return () => clearTimeout(timer)
    // The links of a page to its steps have no time.
  }, [at, playing, player, pathname, setSearch])
}

function Bar({ player }: { player: Player }) {
  const { opened } = player
  const { at, playing, speed } = usePlayerState(player)
  const lab = useLabs().data?.labs.find(({ id }) => id === opened.view.lab)
  const navigate = useNavigate()
  const [searching, setSearching] = useState(false)
  const run = runAt(player, at)
  useTimeInAddress(player, at, playing)

  /** The page follows the time, but for the time of a link: it shows the step whose run goes on. */
  const shown = useRef(run?.id)
  const moved = useRef(false)
  useEffect(() => {
    if (run?.id === shown.current) return
    shown.current = run?.id
    const isStep = lab?.steps.some(({ id }) => id === run?.stepId) === true
    if (run !== null && isStep && (playing || moved.current))
      void navigate(addressOf(opened, run.stepId), { replace: true })
  }, [run, lab, opened, playing, navigate])

  const move = (to: number): void => {
    moved.current = true
    player.pause()
    void player.seek(to)
  }
  const times = { at: formatPlace(at), whole: formatPlace(opened.lastsMs) }
  return (
    <aside className={classes.bar} aria-label={i18n.t('A recording')}>
      {searching && <OutputSearch player={player} lab={lab} onClose={() => setSearching(false)} onGo={move} />}
      <IconButton
        aria-label={playing ? i18n.t('Pause') : i18n.t('Play')}
        onClick={() => (playing ? player.pause() : player.play(speed, at >= opened.lastsMs))}
      >
        {playing ? <IconPlayerPause size={22} /> : <IconPlayerPlay size={22} />}
      </IconButton>
      <div className={classes.track}>
        <div className={classes.runs} aria-hidden>
          {opened.runs.map(({ id, stepId, from, to }) => (
            <span
              key={id}
              title={titleOf(lab, stepId)}
              data-now={id === run?.id || undefined}
              style={{
                left: `${(100 * from) / opened.lastsMs}%`,
                width: `${(100 * (to - from)) / opened.lastsMs}%`,
              }}
            />
          ))}
        </div>
        <input
          type="range"
          min={0}
          max={opened.lastsMs}
          value={at}
          aria-label={i18n.t('Time in the recording')}
          aria-valuetext={`${run === null ? '' : `${titleOf(lab, run.stepId)}, `}${i18n.t('{at} of {whole}', times)}`}
          onChange={({ currentTarget }) => move(Number(currentTarget.value))}
        />
      </div>
      <span className="numbers no-wrap">{i18n.t('{at} of {whole}', times)}</span>
      <select
        aria-label={i18n.t('Speed')}
        value={speed}
        onChange={({ currentTarget }) => player.setSpeed(Number(currentTarget.value))}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <CopyLink />
      <IconButton
        aria-label={i18n.t('Search in the output')}
        title={i18n.t('Search in the output')}
        aria-expanded={searching}
        onClick={() => setSearching(!searching)}
      >
        <IconListSearch size={20} />
      </IconButton>
    </aside>
  )
}

/** Copies the address, which has the recording, the step and the time. */
function CopyLink() {
  const [copied, setCopied] = useState(false)
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<IconLink size={18} aria-hidden />}
      onClick={() => {
        void navigator.clipboard.writeText(location.href).then(() => setCopied(true))
      }}
      onBlur={() => setCopied(false)}
    >
      <span role="status" className={classes.words}>
        {copied ? i18n.t('Copied') : i18n.t('Copy link')}
      </span>
    </Button>
  )
}
