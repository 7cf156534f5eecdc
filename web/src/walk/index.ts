/** One walk through one lab, step by step. What other rooms and the pages may use. */
export { WalkSkeleton } from './walk-skeleton.tsx'
export { Walk } from './walk.tsx'
