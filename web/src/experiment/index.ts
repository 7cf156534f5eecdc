/** An experiment: its design, how far it has come, and what it found. What other rooms and the pages may use. */
export { DesignFields } from './design-fields.tsx'
export { estimateWords } from './estimate.ts'
export { ExperimentView } from './experiment-view.tsx'
