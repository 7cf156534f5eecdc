/** What somebody found out: in a session, and in all labs. Public exports of this folder. */
export { FoundList } from './found-list.tsx'
export { SessionSummary } from './session-summary.tsx'
