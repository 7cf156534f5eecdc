import { i18n } from '@expresslane/shared/base/language'
import { ordinal, waitWords } from '@expresslane/shared/run/queue-words'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useNow } from './time-left.tsx'

/**
 * The place of a queued run and its expected wait. The wait counts down visibly; screen readers announce only a new
 * place.
 */
export function QueuePlace({ queue }: { queue: NonNullable<RunState['queue']> }) {
  const now = useNow()
  const { place, expectedSeconds, paused, at } = queue
  const left = expectedSeconds === null ? null : Math.max(0, expectedSeconds - (now - at) / 1000)
  const wait = waitWords(left)
  return (
    <span>
      {place === 1
        ? i18n.t('Waiting, next in line')
        : i18n.t('Waiting, {place} in line', { place: i18n.locale === 'en' ? ordinal(place) : place })}
      {paused && <span>. {i18n.t('The instructor paused the queue')}</span>}
      {wait !== null && <span aria-hidden>: {wait}</span>}
    </span>
  )
}
