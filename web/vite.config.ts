import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the API answers while Vite serves the page (`npm run dev`). */
const backend = `http://127.0.0.1:${process.env['EXPRESSLANE_BACKEND_PORT'] ?? '7071'}`
// Host and Origin pass unchanged: the API checks both.
const toBackend = { target: backend, changeOrigin: false }

export default defineConfig({
  plugins: [react()],
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
