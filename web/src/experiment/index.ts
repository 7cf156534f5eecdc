/** An experiment: its design, progress and results. Public exports of this folder. */
export { DesignFields } from './design-fields.tsx'
export { estimateWords } from './estimate.ts'
export { ExperimentView } from './experiment-view.tsx'
