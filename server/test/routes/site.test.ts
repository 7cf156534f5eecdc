import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataDir } from '../support/deps.ts'
import { startServer, type TestServer } from '../support/http/server.ts'

const files: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'boot.js': 'application/javascript; charset=utf-8',
  'assets/site-Cn5d8vQ2.js': 'application/javascript; charset=utf-8',
  'machine/worker.js': 'application/javascript; charset=utf-8',
  'machine/v86.wasm': 'application/wasm',
  'machine/bios.bin': 'application/octet-stream',
}

/** A server with these files in its site, and a secret beside the site. */
async function withSite(names: readonly string[]): Promise<TestServer> {
  const data = dataDir()
  const siteDir = join(data, 'site')
  writeFileSync(join(data, 'secret.txt'), 'a secret')
  for (const name of names) {
    mkdirSync(join(siteDir, name, '..'), { recursive: true })
    writeFileSync(join(siteDir, name), `the site's ${name}`)
  }
  return startServer({ data, config: { siteDir } })
}

const computer = async ({ call }: TestServer): Promise<unknown> => JSON.parse((await call('/api/site')).text)

describe('the static site beside the page', () => {
  it('is served to everybody, with the right types and its own policy', async () => {
    const server = await withSite(Object.keys(files))
    for (const [name, type] of Object.entries(files)) {
      const { status, headers, text } = await server.ask(`/site/${name}`)
      expect([status, text], name).toEqual([200, `the site's ${name}`])
      expect(headers['content-type'], name).toBe(type)
      expect(headers['x-content-type-options'], name).toBe('nosniff')
      expect(headers['content-security-policy'], name).toContain(
        "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:",
      )
      expect(headers['content-security-policy'], name).toContain("default-src 'none'")
      expect(headers['content-security-policy'], name).toContain("frame-ancestors 'none'")
    }
    expect((await server.ask('/site/')).text).toBe("the site's index.html")
    expect((await server.ask('/site')).headers['location']).toBe('/site/')
    expect(await computer(server)).toEqual({ computer: 'built' })
  })

  it('lets the page alone connect to other hosts, and keeps only files whose names have a digest', async () => {
    const server = await withSite(Object.keys(files))
    const policy = async (path: string) => String((await server.ask(path)).headers['content-security-policy'])
    expect(await policy('/site/')).toContain('connect-src http: https:;')
    for (const path of ['/site/machine/worker.js', '/site/boot.js']) {
      expect(await policy(path)).toContain("connect-src 'self';")
    }
    const caching = async (path: string) => (await server.ask(path)).headers['cache-control']
    expect(await caching('/site/boot.js')).toBe('no-store')
    expect(await caching('/site/assets/site-Cn5d8vQ2.js')).toContain('immutable')
  })

  it('leaves the policy of the app’s own page as it is', async () => {
    const server = await withSite(Object.keys(files))
    for (const path of ['/', '/siteless', '/api/site', '/site/none.js']) {
      expect((await server.ask(path)).headers['content-security-policy'], path).not.toContain('wasm-unsafe-eval')
    }
  })

  it('serves nothing else: no missing file, no path out of the folder, no other method', async () => {
    const server = await withSite(Object.keys(files))
    for (const path of ['none.js', 'labs', 'machine', 'machine/']) {
      expect((await server.ask(`/site/${path}`)).status, path).toBeGreaterThanOrEqual(300)
    }
    for (const out of [
      '../secret.txt',
      '%2e%2e/secret.txt',
      '..%2fsecret.txt',
      'machine/../../secret.txt',
      '/../secret.txt',
    ]) {
      const { status, text } = await server.ask(`/site/${out}`)
      expect(text, out).not.toContain('a secret')
      expect(status, out).toBeGreaterThanOrEqual(400)
    }
    expect((await server.call('/site/index.html', { method: 'POST' })).status).toBe(405)
  })

  it('serves nothing where it is not built, and says whether this machine can build the computer', async () => {
    const server = await withSite([])
    expect((await server.ask('/site/')).status).toBe(404)
    const builds = process.platform === 'linux' && process.arch === 'x64'
    expect(await computer(server)).toEqual({ computer: builds ? 'buildable' : 'none' })
    expect(await computer(await withSite(['index.html']))).toEqual(await computer(server))
    expect((await server.ask('/api/site')).status).toBe(401)
  })
})
