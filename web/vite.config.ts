import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import type * as FeatureTexts from '../shared/src/features/texts.ts'

/** Where the API answers while Vite serves the page (`npm run dev`). */
const backend = `http://127.0.0.1:${process.env['EXPRESSLANE_BACKEND_PORT'] ?? '7071'}`
// Host and Origin pass unchanged: the API checks both.
const toBackend = { target: backend, changeOrigin: false }

/** Serves the follower's page while developing; built, the server does (`routes/page.ts`). */
const lightPaths: Plugin = {
  name: 'light-paths',
  apply: 'serve',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/(follow|join)(\?|$)/.test(request.url ?? '')) request.url = '/follow.html'
      next()
    })
  },
}

/** The highest quality, 11, takes 3 s for 7 % fewer bytes, and the first link waits for the page. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } }

/** Writes `.br` and `.gz` beside each file that compresses well; the server sends them to browsers that take them. */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
    await Promise.all(
      texts.map(async (name) => {
        const content = await readFile(join(dir, name))
        await writeFile(join(dir, `${name}.br`), brotliCompressSync(content, brotli))
        await writeFile(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
      }),
    )
  },
}

/** React's modules, and Preact's modules that replace them on the follower's page. */
const lighter: Readonly<Record<string, string>> = {
  react: 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
}

/** Zod writes JSON Schemas with these. The follower's page reads bodies and frames alone, and does without 8 kB. */
const unused = /\/(to-json-schema|json-schema-processors)\.js$/
const EMPTY = '\0empty:'

/** A module with the same names, which are all undefined. @param file the original */
async function emptied(file: string): Promise<{ code: string; moduleSideEffects: boolean }> {
  const names = [...(await readFile(file, 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, name]) => name,
  )
  return {
    code: `const none = undefined\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }`,
    moduleSideEffects: false,
  }
}

/** Packages that the follower's page must do without. */
const tooHeavy = /node_modules\/(react-dom|recharts|react-router|@tanstack)\//

/**
 * The follower's page is built by itself, with Preact in React's place: it opens on phones over a crowded wifi, and
 * shares no module with the other page that would carry code for both.
 */
const lightRuntime: Plugin = {
  name: 'light-runtime',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'follow',
  async resolveId(source, importer) {
    if (unused.test(source) && importer?.includes('/zod/') === true) {
      const original = await this.resolve(source, importer, { skipSelf: true })
      return original === null ? null : EMPTY + original.id
    }
    const instead = lighter[source]
    return instead === undefined ? null : this.resolve(instead, importer, { skipSelf: true })
  },
  load: (id) => (id.startsWith(EMPTY) ? emptied(id.slice(EMPTY.length)) : null),
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      if (part.type !== 'chunk') continue
      const heavy = Object.entries(part.modules).find(
        ([id, { renderedLength }]) => renderedLength > 0 && tooHeavy.test(id),
      )
      if (heavy !== undefined) this.error(`the follower's page loads ${heavy[0]}`)
    }
  },
}

const featureTexts = join(import.meta.dirname, '../shared/src/features/texts.ts')

/** The follower's page needs half the texts of a language: those that stand in its modules, and those of the tables. */
const fewTexts: Plugin = {
  name: 'few-texts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'follow',
  renderChunk: {
    order: 'pre',
    async handler(_, { facadeModuleId }, __, { chunks }) {
      if (facadeModuleId === null || !/languages\/\w+\.json$/.test(facadeModuleId)) return null
      const modules = Object.values(chunks).flatMap((one) => Object.keys(one.modules))
      const code = modules
        .filter((id) => id !== facadeModuleId)
        .map((id) => this.getModuleInfo(id)?.code)
        .join()
      const all = Object.entries(JSON.parse(await readFile(facadeModuleId, 'utf8')) as object)
      // By its path, so that Vite does not bundle the features with this file.
      const { textsOfTables } = (await import(featureTexts)) as typeof FeatureTexts
      const tables = textsOfTables()
      const texts = all.filter(([id]) => tables.has(id) || code.includes(id) || code.includes(JSON.stringify(id)))
      return `const texts = ${JSON.stringify(Object.fromEntries(texts))}\nexport { texts as default }`
    },
  },
}

export default defineConfig({
  plugins: [react(), lightPaths, lightRuntime, fewTexts, precompressed],
  build: {
    target: 'es2023',
    outDir: 'dist',
    // The CSP allows no data: URLs for fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  environments: {
    client: { build: { rolldownOptions: { input: 'index.html' } } },
    follow: {
      consumer: 'client',
      build: {
        emptyOutDir: false,
        manifest: '.vite/follow.json',
        rolldownOptions: {
          input: 'follow.html',
          // Its catalogues are shorter than those of the same name in the other page.
          output: { chunkFileNames: 'assets/follow-[name]-[hash].js' },
          // Preact lacks two names that libraries import and do not use.
          shimMissingExports: true,
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'follow']) {
        const environment = builder.environments[name]
        if (environment !== undefined) await builder.build(environment)
      }
    },
  },
  server: {
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['PORT'] ?? 7070),
    strictPort: true,
    proxy: {
      '/api': { ...toBackend, ws: true },
      '/open': toBackend,
      '^/[fj]/': toBackend,
      '/site': toBackend,
      '/healthz': toBackend,
    },
  },
})
