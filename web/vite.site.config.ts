/** Builds the static viewer (`npm run site`), in two forms. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Labs and recordings, as `scripts/site/contents.mjs` wrote them. */
const contents = process.env['SITE_CONTENTS'] ?? ''
const VIRTUAL = 'virtual:shipped'

/** The module with the labs of each language, which load on demand, and the list of the recordings. */
const shipped: Plugin = {
  name: 'shipped',
  resolveId: (id) => (id === VIRTUAL ? `\0${VIRTUAL}` : null),
  async load(id) {
    if (id !== `\0${VIRTUAL}`) return null
    const { recordings, languages } = JSON.parse(await readFile(join(contents, 'index.json'), 'utf8')) as {
      recordings: unknown
      languages: readonly string[]
    }
    const labs = languages.map((language) => {
      const file = JSON.stringify(join(contents, `labs-${language}.json`))
      return `${language}: () => import(${file}).then((file) => file.default)`
    })
    const version = process.env['SITE_VERSION'] ?? ''
    return `export const version = ${JSON.stringify(version)}\nexport const recordings = ${JSON.stringify(recordings)}\nexport const labs = { ${labs.join(', ')} }`
  },
}

export default defineConfig({
  plugins: [react(), shipped],
  // From any folder of a server, and from a disk.
  base: './',
  build: {
    target: 'es2023',
    outDir: process.env['SITE_OUT'] ?? '../site',
    emptyOutDir: false,
    assetsInlineLimit: 0,
    // One stylesheet, for both forms.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // One script with everything is as large as it is.
    chunkSizeWarningLimit: 5_000,
  },
  environments: {
    client: { build: { manifest: 'manifest.json', rolldownOptions: { input: 'src/site.tsx' } } },
    /** One classic script: a page from a disk may load no modules. */
    whole: {
      consumer: 'client',
      build: {
        manifest: 'whole.json',
        rolldownOptions: {
          input: 'src/site.tsx',
          // A classic script has no such object, and Vite's helper for preloading does without.
          transform: { define: { 'import.meta': '{}' } },
          output: { format: 'iife', codeSplitting: false, entryFileNames: 'assets/whole-[hash].js' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'whole']) {
        const environment = builder.environments[name]
        if (environment !== undefined) await builder.build(environment)
      }
    },
  },
})
