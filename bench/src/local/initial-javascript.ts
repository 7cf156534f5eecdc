import { gzipSync } from 'node:zlib'
import type { Bench } from '../support/table.ts'

const LIMIT = 180_000

/** The JavaScript that the start page loads at first: scripts and preloaded modules, gzipped. */
export const initialJavaScript: Bench = async ({ origin }) => {
  const page = await (await fetch(origin)).text()
  const paths = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].flatMap(([, path]) => path ?? [])
  let size = 0
  for (const path of new Set(paths)) {
    size += gzipSync(await (await fetch(new URL(path, origin))).bytes(), { level: 9 }).length
  }
  return {
    what: 'Initial JavaScript, gzipped',
    bound: '<= 180 kB',
    measured: `${Math.round(size / 1000)} kB`,
    how: `${paths.length} files that the start page loads`,
    holds: size > 0 && size <= LIMIT,
  }
}
