/** The Bench page. Public exports of this folder. */
export { Bench } from './bench.tsx'
