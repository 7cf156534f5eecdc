import { i18n } from '@expresslane/shared/base/language'
import { IconCheck, IconCopy } from '../../icons.tsx'
import { useEffect, useState } from 'react'
import classes from './command-block.module.css'

const SHOWN_MS = 1500

/** Copies `text`; `what` names it for screen readers. Nothing where the browser can't copy: over HTTP from another machine. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  if (!window.isSecureContext) return null
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={copied ? i18n.t('Copied {what}', { what }) : i18n.t('Copy {what}', { what })}
      onClick={copy}
    >
      {copied ? <IconCheck size={18} /> : <IconCopy size={18} stroke={1.7} />}
    </button>
  )
}
