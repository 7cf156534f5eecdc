/** Serves the static site that `npm run site` builds, for people on whose machine nothing else can run a lab. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { readSite, type SiteResponse } from '@expresslane/shared/wire/site'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { serve } from './http/serve.ts'
import { setCaching } from './page.ts'

/** Only a checkout has it. */
const builder = fileURLToPath(new URL('../../../scripts/machine/build.mjs', import.meta.url))

function computerOf(siteDir: string): SiteResponse['computer'] {
  if (existsSync(join(siteDir, 'machine'))) return 'built'
  const canBuild = process.platform === 'linux' && process.arch === 'x64' && existsSync(builder)
  return canBuild ? 'buildable' : 'none'
}

/**
 * The site's own policy, as in `web/site/index.html`. Its page opens recordings from any address, and limits itself to the
 * addresses that its link names (`boot.js`); a worker has the policy of its own file, and reads this server alone. v86 has a
 * timer in a worker from a blob.
 */
function policyFor(file: string): string {
  const connect = file.endsWith('.html') ? 'http: https:' : "'self'"
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The files are as public as the page's. The site may be built while the server runs. */
export function siteRoutes({ config: { siteDir } }: Pick<Deps, 'config'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, readSite, {
      summary: 'Whether the site under /site/ has the experiment in a browser’s tab',
      tags: ['labs'],
      handler: async () => ({ computer: computerOf(siteDir) }),
    })
    await app.register(
      async (scope) => {
        scope.setNotFoundHandler(() => {
          const remedy = 'The site’s start page is /site/, once `npm run site` has built it.'
          throw new LabError('not_found', 'The site does not have this file, or is not built.', remedy)
        })
        await scope.register(fastifyStatic, {
          root: siteDir,
          prefix: '',
          // Its addresses are relative to the folder.
          redirect: true,
          suppressWarning: true,
          cacheControl: false,
          dotfiles: 'ignore',
          setHeaders(reply, file) {
            setCaching(reply, file, siteDir)
            void reply.header('content-security-policy', policyFor(file))
          },
        })
      },
      { prefix: '/site' },
    )
  }
}
