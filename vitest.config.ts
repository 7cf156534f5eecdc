import { configDefaults, defineConfig } from 'vitest/config'

/** What needs a real cluster: E2E_KUBECONFIG names it. */
const onCluster = 'test/cluster/**'
const hasCluster = (process.env['E2E_KUBECONFIG'] ?? '') !== ''

const project = (name: string) => ({
  extends: true as const,
  test: {
    name,
    root: `./${name}`,
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, onCluster],
  },
})

const cluster = {
  extends: true as const,
  test: {
    name: 'cluster',
    root: './server',
    include: [`${onCluster}/*.test.ts`],
    // There is one cluster, and most of these tests switch its datapath.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
}

export default defineConfig({
  test: {
    // Real namespaces and real netperf: a limit for what hangs, on a busy machine too, and never a measure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [...['shared', 'server', 'web', 'scripts'].map(project), ...(hasCluster ? [cluster] : [])],
  },
})
