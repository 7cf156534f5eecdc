/**
 * What somebody found out: in a session of a lab, and in all labs. Both pages end a walk, so they only show what other rooms
 * have measured and judged. Public exports of this folder.
 */
export { FoundList } from './found-list.tsx'
export { SessionSummary } from './session-summary.tsx'
