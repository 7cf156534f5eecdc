import { i18n } from '@expresslane/shared/base/language'
import { IconMoon, IconSun } from '../../icons.tsx'
import { useSyncExternalStore } from 'react'
import { IconButton } from '../controls.tsx'

const page = document.documentElement

/** `public/color-scheme.js` sets the attribute, when the system's scheme changes, too. */
function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(page, { attributeFilter: ['data-color-scheme'] })
  return () => observer.disconnect()
}

/** The scheme that the page does not have now. */
export function otherScheme(): 'dark' | 'light' {
  return page.dataset['colorScheme'] === 'dark' ? 'light' : 'dark'
}

/** Names the switch to it. */
export function schemeWords(): string {
  return otherScheme() === 'light' ? i18n.t('Switch to light') : i18n.t('Switch to dark')
}

export function switchScheme(): void {
  const scheme = otherScheme()
  page.dataset['colorScheme'] = scheme
  // Last, because a browser that blocks storage throws here.
  localStorage.setItem('color-scheme', scheme)
}

/** Follows the system until someone chooses. */
export function SchemeToggle() {
  const other = useSyncExternalStore(subscribe, otherScheme)
  return (
    <IconButton aria-label={schemeWords()} onClick={switchScheme}>
      {other === 'light' ? <IconSun size={20} stroke={1.7} /> : <IconMoon size={20} stroke={1.7} />}
    </IconButton>
  )
}
