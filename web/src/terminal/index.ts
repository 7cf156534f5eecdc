/** Terminals on the testbed of a lab. Public exports of this folder. */
import { lazy } from 'react'
import { useStored } from '../components/stored.ts'

export { useTypedRuns } from './typed.ts'

/** xterm.js is larger than the rest of a lab's page: it loads when somebody opens a terminal. */
export const TerminalDock = lazy(async () => ({ default: (await import('./terminal-dock.tsx')).TerminalDock }))

const loadWatchedDock = () => import('./watched-dock.tsx')

/** The terminals of a participant who lets an instructor look. */
export const WatchedDock = lazy(async () => ({ default: (await loadWatchedDock()).WatchedDock }))

/** Loads {@link WatchedDock} before it is shown. If that fails, it is loaded again then. */
export function preloadWatchedDock(): void {
  loadWatchedDock().catch(() => {})
}

/**
 * The choice to show the terminals, which this browser keeps, and a function that changes it. Hidden terminals go on.
 *
 * @returns the same after a reload
 */
export function useTerminalsShown(): readonly [boolean, () => void] {
  const [kept, keep] = useStored('terminals')
  const isShown = kept === 'shown'
  return [isShown, () => keep(isShown ? 'hidden' : 'shown')]
}
