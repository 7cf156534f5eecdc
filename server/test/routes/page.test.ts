import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../src/serve.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { fakeOutside } from '../support/fakes/fake-outside.ts'
import { ask } from '../support/http/server.ts'

it('serves the light page to followers and to those who join, and the application everywhere else', async () => {
  const data = dataDir()
  const webDir = join(data, 'page')
  mkdirSync(webDir)
  for (const name of ['index', 'follow']) writeFileSync(join(webDir, `${name}.html`), name)
  const { port, stop } = await serve({ ...testConfig(data), webDir }, fakeOutside().outside)
  onTestFinished(() => stop())
  const page = async (path: string): Promise<string> => (await ask(port, path)).text
  expect(await page('/follow')).toBe('follow')
  expect(await page('/follow?step=1')).toBe('follow')
  expect(await page('/join')).toBe('follow')
  for (const path of ['/', '/room', '/follow/more', '/joining']) expect(await page(path)).toBe('index')
  const { headers } = await ask(port, '/follow')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['link']).toContain('</api/presentation>; rel=preload; as=fetch; crossorigin')
})
