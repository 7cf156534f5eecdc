/** Terminals on the testbed of a lab. Loaded when somebody opens them. */
export { TerminalDock } from './terminal-dock.tsx'
