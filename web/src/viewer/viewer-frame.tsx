import { i18n } from '@expresslane/shared/base/language'
import { useEffect, type ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Brand } from '../components/frame/frame.tsx'
import classes from '../components/frame/frame.module.css'
import { SchemeToggle } from '../components/frame/scheme-toggle.tsx'
import { comparisonOf, keepInAddress } from './address.ts'
import { useSources } from './use-tab.ts'

/** Header and page of the viewer: the open recordings in the place of the app's pages. */
export function ViewerFrame({ children }: { children: ReactNode }) {
  const sources = useSources()
  const { pathname } = useLocation()
  const comparison = comparisonOf(sources)
  useEffect(() => {
    // Newer browsers return a promise, which is no cleanup.
    window.scrollTo(0, 0)
  }, [pathname])
  const names = JSON.stringify(sources.map(({ name }) => name))
  useEffect(() => keepInAddress(JSON.parse(names) as string[]), [names])
  return (
    <>
      <a
        className={classes.skip}
        href="#main"
        onClick={(event) => {
          // The address after the # is the viewer's own.
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        {i18n.t('Skip to content')}
      </a>
      <header className={classes.header}>
        <Brand />
        <nav aria-label={i18n.t('Pages')} className={classes.nav}>
          <NavLink to="/" end>
            {i18n.t('Recordings')}
          </NavLink>
          {comparison !== null && <NavLink to={comparison}>{i18n.t('Compare')}</NavLink>}
        </nav>
        <div className={`${classes.right} row one-line`}>
          <SchemeToggle />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}
