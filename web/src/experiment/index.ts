/** An experiment: its design, progress and results. Public exports of this folder. */
export { armBars } from './arms.ts'
export { CaseChart } from './case-chart.tsx'
export { DesignFields } from './design-fields.tsx'
export { estimateWords } from './estimate.ts'
export { ExperimentView } from './experiment-view.tsx'
export { experimentKind } from './kind.ts'
export { ExperimentProgress } from './progress/experiment-progress.tsx'
export { sweepLines } from './sweep.ts'
