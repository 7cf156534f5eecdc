/** The code that the page and the static viewer load before they show the labs, built as `vite build` does, without writing a file. */
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createBuilder, type Rolldown } from 'vite'
import { beforeAll, expect, it, vi } from 'vitest'

/** The bound of README's table of figures. */
const LIMIT = 180_000

let first: Rolldown.OutputChunk[]
let firstOfViewer: Rolldown.OutputChunk[]

/** The entry, and what it imports without waiting. */
function loadedAtOnce(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const byName = new Map(chunks.map((one) => [one.fileName, one]))
  const found = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of found) {
    for (const one of imports.flatMap((name) => byName.get(name) ?? [])) found.add(one)
  }
  return [...found]
}

async function built(config: string): Promise<Rolldown.OutputChunk[]> {
  const root = join(import.meta.dirname, '..')
  const configFile = join(root, config)
  const build = { write: false }
  const builder = await createBuilder({ root, configFile, mode: 'production', logLevel: 'error', build })
  const { client } = builder.environments
  if (client === undefined) throw new Error(`${config} has no environment client`)
  const result = await builder.build(client)
  if (!('output' in result)) throw new Error('expected one output')
  return loadedAtOnce(result.output.filter((part) => part.type === 'chunk'))
}

beforeAll(async () => {
  // Else it is built with React's checks for developers.
  vi.stubEnv('NODE_ENV', 'production')
  first = await built('vite.config.ts')
  firstOfViewer = await built('vite.site.config.ts')
  vi.unstubAllEnvs()
})

it.each([
  ['the app', () => first],
  ['the static viewer', () => firstOfViewer],
])('is at most 180 kB of JavaScript, gzipped: %s', (_, chunks) => {
  const bytes = chunks().reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)
  expect(bytes).toBeGreaterThan(LIMIT / 2)
  expect(bytes).toBeLessThanOrEqual(LIMIT)
})

it('has no charts and no features, for the viewer', () => {
  const modules = firstOfViewer.flatMap(({ modules: of }) =>
    Object.keys(of).filter((id) => (of[id]?.renderedLength ?? 0) > 0),
  )
  expect(modules.filter((id) => /d3-scale|features\/registry|reading-worker\.ts$/.test(id))).toEqual([])
})

it('does not grow with a feature, but for its names', () => {
  const modules = first.flatMap(({ modules: of }) => Object.keys(of).filter((id) => (of[id]?.renderedLength ?? 0) > 0))
  const ofFeatures = modules.flatMap((id) => /(?:shared|web)\/src\/features\/.*/.exec(id)?.[0] ?? [])
  const names = /^shared\/src\/features\/([\w-]+|[\w-]+\/(about|hooks|roles))\.ts$/
  expect(ofFeatures).toContain('shared/src/features/abouts.ts')
  expect(ofFeatures).not.toContain('shared/src/features/registry.ts')
  expect(ofFeatures.filter((id) => !names.test(id))).toEqual([])
})
