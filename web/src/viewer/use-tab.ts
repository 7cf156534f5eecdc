/** The open recordings, for components. */
import { createContext, use, useSyncExternalStore } from 'react'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Computer } from './computer.ts'
import type { Player, PlayerState } from './player.ts'
import type { OpenReport } from './report/open-report.ts'
import type { Tab } from './tab.ts'

export const TabContext = createContext<Tab | null>(null)

export function useTab(): Tab {
  const tab = use(TabContext)
  if (tab === null) throw new Error('TabContext is missing')
  return tab
}

export function usePlayers(): readonly Player[] {
  const tab = useTab()
  return useSyncExternalStore(tab.subscribe, tab.players)
}

export function useReports(): readonly OpenReport[] {
  const tab = useTab()
  return useSyncExternalStore(tab.subscribe, tab.reports)
}

/** The open recordings, then the open reports. */
export function useSources(): readonly (Player | OpenReport)[] {
  return [...usePlayers(), ...useReports()]
}

/** The emulated computer of this tab; null if it does not run. */
export function useComputer(): Computer | null {
  const tab = useTab()
  return useSyncExternalStore(tab.subscribe, tab.computer)
}

/** The player of a testbed's recording; null if it is not open. */
export function usePlayer(testbed: TestbedId): Player | null {
  return usePlayers().find(({ opened }) => opened.testbed === testbed) ?? null
}

export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(player.subscribe, player.state)
}
