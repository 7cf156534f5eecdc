/** Builds the static viewer (`npm run site`), in two forms. */
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** A page from a disk may load no worker's file: its script, which is a classic one, brings the worker along. */
const workerWithin: Plugin = {
  name: 'worker-within',
  enforce: 'pre',
  applyToEnvironment({ config }) {
    const { output } = config.build.rolldownOptions
    return !Array.isArray(output) && output?.format === 'iife'
  },
  resolveId(source, importer) {
    return source.endsWith('?worker') ? this.resolve(`${source}&inline`, importer, { skipSelf: true }) : null
  },
}

export default defineConfig({
  plugins: [react(), workerWithin],
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
