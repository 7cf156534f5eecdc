/** Vite's configuration for the worker of a tab: one classic script, which a page from a disk can run, too. */
import { inRoot } from '../base/paths.mjs'

const nodeInTab = inRoot('scripts', 'site', 'node-in-tab.mjs')

export default {
  configFile: false,
  root: inRoot('server'),
  resolve: { alias: [{ find: /^node:(crypto|fs|fs\/promises|os|util)$/, replacement: nodeInTab }] },
  build: {
    target: 'es2023',
    outDir: process.env['TAB_OUT'],
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: inRoot('server', 'src', 'tab', 'worker.ts'),
      transform: {
        // A classic script has no such object.
        define: { 'import.meta.url': '"file:///"', 'import.meta': '{}', 'process.arch': '"x86"' },
        inject: { Buffer: ['buffer', 'Buffer'] },
      },
      output: { format: 'iife', codeSplitting: false, entryFileNames: 'worker.js' },
    },
  },
}
