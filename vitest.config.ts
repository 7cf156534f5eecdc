import { defineConfig } from 'vitest/config'

const project = (name: string) => ({
  extends: true as const,
  test: { name, root: `./${name}`, include: ['{src,test}/**/*.test.{ts,tsx}'] },
})

export default defineConfig({
  test: {
    // Real namespaces and real netperf: a limit for what hangs, on a busy machine too, and never a measure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: ['shared', 'server', 'web', 'scripts'].map(project),
  },
})
