/** A session of a lab, step by step. Public exports of this folder. */
export { SessionSkeleton } from './session-skeleton.tsx'
export { StepDots } from './step-list.tsx'
export { SessionSummary } from './summary/session-summary.tsx'
export { SessionView } from './session-view.tsx'
export type { Focus, KeyPress } from './keys.ts'
export { measureParams, useRunner, useSessionState, type Runner, type SessionState } from './use-session-state.ts'
