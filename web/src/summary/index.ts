/** The end of a lab. Public exports of this folder. */
export { SessionSummary } from './session-summary.tsx'
