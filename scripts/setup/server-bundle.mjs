/** Vite's configuration for the server's programs in one folder, with all packages: Node reads 20 files, not 3,000. */
import { readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { inRoot } from '../base/paths.mjs'

const folder = inRoot('server', 'src')
const bundle = inRoot('server', 'dist')
const workers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-worker.ts'))
const programs = ['main.ts', 'headless.ts', 'data.ts', ...workers]

/** Files that the source finds beside itself stay there, seen from the bundle; its workers are in the bundle. */
const places = {
  name: 'places',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!id.startsWith(folder) || !code.includes('import.meta.url')) return null
    if (/new URL\('\.\/[\w-]+-worker\.ts', import\.meta\.url\)/.test(code))
      return { code: code.replace(/(new URL\('\.\/[\w-]+-worker)\.ts'/g, "$1.js'"), map: null }
    const there = `new URL(${JSON.stringify(relative(bundle, id))}, import.meta.url)`
    return { code: code.replaceAll('import.meta.url', there), map: null }
  },
}

export default {
  configFile: false,
  root: inRoot('server'),
  plugins: [places],
  define: { IS_BUNDLE: 'true' },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    target: 'node24',
    outDir: bundle,
    emptyOutDir: true,
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: Object.fromEntries(programs.map((name) => [basename(name, '.ts'), join(folder, name)])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
}
