import { i18n } from '@expresslane/shared/base/language'
import { ordinal, waitWords } from '@expresslane/shared/run/queue-words'
import type { ReactNode } from 'react'
import { RunBadge, type RunLook } from '../../components/run/run-badge.tsx'
import { useNow } from '../../components/run/time-left.tsx'
import type { Standing, StandingKind } from '../standing.ts'
import classes from './people.module.css'

const looks: Readonly<Record<Exclude<StandingKind, 'idle' | 'absent' | 'running'>, RunLook>> = {
  failed: 'unpassed',
  waiting: 'queued',
  finished: 'passed',
}

/** A person's present state. @param at when the board was read, in milliseconds since the epoch */
export function StateWords({ standing, at }: { standing: Standing; at: number }) {
  const { kind, seat } = standing
  const place = seat?.run?.place ?? null
  if (kind === 'absent') return <span className="muted">{i18n.t('not started')}</span>
  if (kind === 'idle') return <span className="muted">{i18n.t('reading')}</span>
  if (kind === 'running') {
    return (
      <span className="row tight top one-line">
        <RunBadge look="running" />
      </span>
    )
  }
  return (
    <span className="row tight top one-line">
      <RunBadge look={looks[kind]} iconOnly />
      <StateText kind={kind}>
        {kind === 'failed' && seat?.failed?.message}
        {kind === 'waiting' && place !== null && (
          <WaitWords place={place} expectedSeconds={seat?.run?.expectedSeconds ?? null} at={at} />
        )}
        {kind === 'finished' && i18n.t('all steps done')}
      </StateText>
    </span>
  )
}

function StateText({ kind, children }: { kind: StandingKind; children: ReactNode }) {
  return <span className={`break-anywhere numbers ${kind === 'failed' ? classes.clamped : ''}`}>{children}</span>
}

interface WaitWordsProps {
  place: number
  expectedSeconds: number | null
  at: number
}

/** A place in line with the wait that is left. */
function WaitWords({ place, expectedSeconds, at }: WaitWordsProps) {
  const now = useNow()
  const left = expectedSeconds === null ? null : Math.max(0, expectedSeconds - (now - at) / 1000)
  const wait = waitWords(left)
  return (
    <>
      {place === 1 ? i18n.t('next in line') : i18n.t('{place} in line', { place: ordinal(place) })}
      {wait !== null && `, ${wait}`}
    </>
  )
}
