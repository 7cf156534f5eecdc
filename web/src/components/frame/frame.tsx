import { i18n } from '@expresslane/shared/base/language'
import { useEffect, type ReactNode } from 'react'
import { NavLink, useLocation, useSearchParams } from 'react-router'
import { useMe, useRefetchOnChange } from '../../api/queries.ts'
import { useLive } from '../../api/live.tsx'
import { PaletteButton } from '../palette/palette-button.tsx'
import { ProblemNotice } from '../problem-notice.tsx'
import { AccessGate } from './access-gate.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import classes from './frame.module.css'
import { LogOut } from './log-out.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'

interface FrameProps {
  /** The bar below the header for people in a workshop. */
  workshopBar: ReactNode
  children: ReactNode
}

/** Header, the page, and the common needs of all pages: a skip link and the gate for visitors without a token. */
export function Frame({ workshopBar, children }: FrameProps) {
  useRefetchOnChange()
  const me = useMe().data ?? null
  const { pathname, hash } = useLocation()
  const [search] = useSearchParams()
  const page = pathname.split('/')[1] ?? ''
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(hash.slice(1))
    const top = target?.getBoundingClientRect().top ?? -1
    if (target === null) window.scrollTo(0, 0)
    // The browser itself scrolls only after a click on a link.
    else if (top < 0 || top > window.innerHeight) target.scrollIntoView({ block: 'center' })
  }, [page, hash])
  // The projector's view and the speaker's window have no header.
  if (search.has('present') || search.has('speaker')) {
    return (
      <main id="main" tabIndex={-1}>
        {search.has('speaker') && <StoreTrouble />}
        <AccessGate>{children}</AccessGate>
      </main>
    )
  }
  return (
    <>
      <a className={classes.skip} href="#main">
        {i18n.t('Skip to content')}
      </a>
      <header className={classes.header}>
        <Brand />
        <nav aria-label={i18n.t('Pages')} className={classes.nav}>
          <NavLink to="/" end>
            {i18n.t('Labs')}
          </NavLink>
          <NavLink to="/bench">{i18n.t('Bench')}</NavLink>
          <NavLink to="/history">{i18n.t('History')}</NavLink>
          {me?.role === 'instructor' && me.workshop && <NavLink to="/room">{i18n.t('Room')}</NavLink>}
        </nav>
        <div className={`${classes.right} row one-line`}>
          {me !== null && <PaletteButton />}
          <ConnectionBadge />
          <SchemeToggle />
          {me !== null && <LogOut me={me} />}
        </div>
      </header>
      {me?.workshop === true && workshopBar}
      <main id="main" tabIndex={-1}>
        <StoreTrouble />
        <AccessGate>{children}</AccessGate>
      </main>
    </>
  )
}

/** On every page: a run whose events can't be stored stands still, and does not say why. */
function StoreTrouble() {
  const problem = useLive((snapshot) => snapshot.storeProblem)
  if (problem === null) return null
  return (
    <div className={classes.trouble}>
      <ProblemNotice problem={problem} title={i18n.t('Nothing can be stored now')} role="alert" />
    </div>
  )
}

/** The name, which leads to the start page. */
export function Brand() {
  return (
    <NavLink to="/" className={`${classes.brand} row one-line large strong`}>
      <Mark />
      <span className={classes.name}>Expresslane</span>
    </NavLink>
  )
}

/** The logo: a normal packet and a big one. */
function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden>
      <rect x="4" y="8" width="10" height="6" rx="2" fill="var(--arm-off)" />
      <rect x="4" y="18" width="24" height="6" rx="2" fill="var(--arm-on)" />
    </svg>
  )
}
