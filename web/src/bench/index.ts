/** An experiment of your own. What other rooms and the pages may use. */
export { Bench } from './bench.tsx'
