import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the API answers while Vite serves the page (`npm run dev`). */
const backend = `http://127.0.0.1:${process.env['EXPRESSLANE_BACKEND_PORT'] ?? '7071'}`
// Host and Origin pass unchanged: the API checks both.
const toBackend = { target: backend, changeOrigin: false }

/** Writes `.br` and `.gz` beside what compresses well; the server sends them to browsers that take them. */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const texts = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
    await Promise.all(
      texts.map(async (name) => {
        const content = await readFile(join(dir, name))
        await writeFile(join(dir, `${name}.br`), brotliCompressSync(content))
        await writeFile(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }))
      }),
    )
  },
}

export default defineConfig({
  plugins: [react(), precompressed],
  build: {
    target: 'es2023',
    outDir: 'dist',
    // The CSP allows no data: URLs for fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  server: {
    host: process.env['HOST'] ?? '127.0.0.1',
    port: Number(process.env['PORT'] ?? 7070),
    strictPort: true,
    proxy: { '/api': { ...toBackend, ws: true }, '/open': toBackend, '/healthz': toBackend },
  },
})
