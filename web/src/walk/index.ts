/** A walk through a lab, step by step. Public exports of this folder. */
export { WalkSkeleton } from './walk-skeleton.tsx'
export { StepDots } from './step-list.tsx'
export { Walk } from './walk.tsx'
export type { Focus, KeyPress } from './keys.ts'
export { measureParams, useRunner, useWalk, type Runner, type WalkState } from './use-walk.ts'
