/** Loaded on demand, with the statistics: only a second arm has something to be compared with. */
export { EstimateLine } from '../result/index.ts'
