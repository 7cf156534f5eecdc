import { i18n } from '@expresslane/shared/base/language'
import { lazy, useEffect, useState } from 'react'
import { Button } from '../controls.tsx'
import { OnDemand } from '../on-demand.tsx'
import { IconListSearch } from '../../icons.tsx'
import classes from './palette.module.css'

const Palette = lazy(() => import('./palette.tsx').then((file) => ({ default: file.Palette })))
const isMac = navigator.userAgent.includes('Mac')

/** The button in the header, and its key on every page with a header. The palette loads when it is opened. */
export function PaletteButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return
      event.preventDefault()
      // Another dialog waits for an answer.
      setOpen((was) => !was && document.querySelector('dialog[open]') === null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        className={classes.open ?? ''}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <IconListSearch size={18} stroke={1.7} aria-hidden />
        <span className="hidden">{i18n.t('Go to')}</span>
        <kbd>{isMac ? '⌘ K' : i18n.t('Ctrl K')}</kbd>
      </Button>
      {open && (
        <OnDemand>
          <Palette onClose={() => setOpen(false)} />
        </OnDemand>
      )}
    </>
  )
}
