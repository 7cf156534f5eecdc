import { i18n } from '@expresslane/shared/base/language'
import { useEffect, useState } from 'react'

const EVERY_MS = 1000

/** The current time, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** `in 40 s`, counting down; screen readers skip it, because it changes every second. */
export function TimeLeft({ until }: { until: number }) {
  const now = useNow()
  const seconds = Math.ceil((until - now) / 1000)
  return <span aria-hidden>{seconds > 0 ? i18n.t('in {seconds} s', { seconds }) : i18n.t('now')}</span>
}
