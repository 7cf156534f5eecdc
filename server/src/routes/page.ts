/** Serves the files of the page that `web` builds. */
import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './http/errors.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * A file keeps its name only while it keeps its content, or is asked for each time.
 *
 * @param root the folder that Vite has built
 */
export function setCaching(reply: FastifyReply, file: string, root: string): void {
  // Vite puts a hash of the content into these names.
  const hashed = file.startsWith(join(root, 'assets') + sep)
  void reply.header('cache-control', hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-store')
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}

/** Paths of the light page, which opens on phones: `web/follow.html`. */
const lightPaths: ReadonlySet<string> = new Set(['/follow', '/join'])

/** The light page's first requests. The browser sends them while it loads the page's code, which saves a round trip. */
const firstAsked = ['/api/presentation', '/api/labs']
  .map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`)
  .join(', ')

/** True for a path of the page's router, false for a missing file. */
function isPageAddress(request: FastifyRequest): boolean {
  const path = pathOf(request)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return reads && !path.startsWith('/api/') && !/\.[a-z0-9]+$/i.test(path) && !request.ws
}

export async function servePage(app: FastifyInstance, webDir: string): Promise<void> {
  const index = join(webDir, 'index.html')
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: webDir,
      suppressWarning: true,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders: (reply, file) => setCaching(reply, file, webDir),
    })
    scope.setNotFoundHandler(async (request, reply) => {
      if (!isPageAddress(request)) throw notFound(request)
      if (existsSync(index)) {
        if (pathOf(request) === '/follow') void reply.header('link', firstAsked)
        return reply.sendFile(lightPaths.has(pathOf(request)) ? 'follow.html' : 'index.html')
      }
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(
          'The page is not built yet.\nRun `npm start`, which builds the page and serves it. The API works already.\n',
        )
    })
  })
}
