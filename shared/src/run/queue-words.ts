/** A queued run's place and wait in words, for the page and the terminal. */
import { i18n } from '../base/language.ts'
import type { QueuePlace } from './events.ts'

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** `1st`, `2nd`, `11th` */
export function ordinal(place: number): string {
  switch (ordinals.select(place)) {
    case 'one':
      return i18n.t('{place}st', { place })
    case 'two':
      return i18n.t('{place}nd', { place })
    case 'few':
      return i18n.t('{place}rd', { place })
    default:
      return i18n.t('{place}th', { place })
  }
}

const MINUTE = 60
/** Longer waits are not shown in seconds, because they are not that precise. */
const IN_SECONDS = 90

/** `about 40 s`, `about 3 min`; null if unknown. @param seconds the remaining wait */
export function waitWords(seconds: number | null): string | null {
  if (seconds === null) return null
  if (seconds < 5) return i18n.t('a few seconds')
  // In steps of 5 s, so that the words do not change with every second.
  if (seconds < IN_SECONDS) return i18n.t('about {count} s', { count: Math.ceil(seconds / 5) * 5 })
  return i18n.t('about {count} min', { count: Math.round(seconds / MINUTE) })
}

/** `next in line, about 40 s` */
export function queueWords({ place, expectedSeconds, paused }: QueuePlace): string {
  const where = place === 1 ? i18n.t('next in line') : i18n.t('{place} in line', { place: ordinal(place) })
  const wait = paused ? i18n.t('the instructor paused the queue') : waitWords(expectedSeconds)
  return wait === null ? where : `${where}, ${wait}`
}
