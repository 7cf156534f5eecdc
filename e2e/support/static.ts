/** A server of static files, as plain as a web host: no rewritten paths, no list of a folder. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

/** The file that a path asks for. A path can't lead out of the folder: `..` ends at its root. */
async function fileOf(folder: string, path: string): Promise<{ type: string; body: Buffer }> {
  const asked = path.endsWith('/') ? `${path}index.html` : path
  const body = await readFile(join(folder, resolve('/', decodeURIComponent(asked))))
  return { type: types[extname(asked)] ?? 'application/octet-stream', body }
}

/**
 * Serves a folder on a port of its own.
 *
 * @param under the path of the site on its host, such as `/some/folder/`
 * @returns `address`: of the site, with that path. `end` resolves when the server is gone
 */
export async function serve(folder: string, under: string): Promise<{ address: string; end: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const found = pathname.startsWith(under)
      ? fileOf(folder, pathname.slice(under.length - 1))
      : Promise.reject(new Error('not of this site'))
    found.then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    address: `http://127.0.0.1:${address.port}${under}`,
    end: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
