/** People who send many requests at once and never read an answer. */
import type { Figure } from '../figure.ts'
import { attackFigure } from './attack-figure.ts'
import { get } from './task.ts'

const EACH = 600

/** @returns the address of the page's largest script */
async function assetOf(origin: string): Promise<string> {
  const page = await (await fetch(origin)).text()
  const [, asset] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  if (asset === undefined) throw new Error('the page is not built: `npm run build`')
  return asset
}

export const pipeliningStranger: Figure = attackFigure({
  name: 'pipelining-stranger',
  what: `A stranger pipelines ${EACH} requests for an asset on each connection, and reads nothing`,
  role: null,
  requests: { short: 6000, long: 20_000 },
  prepare: async ({ app }) => ({
    messages: [get(await assetOf(app.origin))],
    connections: 10,
    each: EACH,
    everyMs: null,
  }),
})

export const pipeliningViewer: Figure = attackFigure({
  name: 'pipelining-viewer',
  what: `A follower pipelines ${EACH} requests for the API’s description and the labs on each connection, and reads nothing`,
  role: 'viewer',
  requests: { short: 6000, long: 15_000 },
  prepare: async () => ({
    messages: [get('/api/openapi.json'), get('/api/labs')],
    connections: 10,
    each: EACH,
    everyMs: null,
  }),
})
