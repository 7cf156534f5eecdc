import { delimiter, join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/**
 * A test that needs lab tools or namespaces: `*.integration.test.ts`, beside its subject. All others are unit tests
 * and run on a machine without them: programs by their names, first in the PATH, refuse to run.
 */
const integrationTests = '**/*.integration.test.{ts,tsx}'
const noLabTools = join(import.meta.dirname, 'scripts', 'test', 'no-lab-tools')

/** Tests that need a real cluster; E2E_KUBECONFIG names it. */
const clusterTests = 'test/cluster/**'
const hasCluster = (process.env['E2E_KUBECONFIG'] ?? '') !== ''

const unit = (name: string) => ({
  extends: true as const,
  test: {
    name,
    root: `./${name}`,
    // The test files of a worker share its modules. Importing all modules again for each file took a third of the time.
    isolate: false,
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, clusterTests, integrationTests],
    env: { PATH: [noLabTools, process.env['PATH'] ?? ''].join(delimiter) },
  },
})

const integration = {
  extends: true as const,
  test: {
    name: 'integration',
    include: ['shared', 'server', 'web', 'scripts'].map((folder) => `${folder}/{src,test}/${integrationTests}`),
  },
}

const cluster = {
  extends: true as const,
  test: {
    name: 'cluster',
    root: './server',
    include: [`${clusterTests}/*.test.ts`],
    // There is one cluster, and most of these tests switch its datapath.
    fileParallelism: false,
  },
}

export default defineConfig({
  test: {
    // Long enough for real namespaces and real netperf on a busy machine: it ends tests that hang, and measures nothing.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // As the server has it (scripts/setup/bundles.mjs): a worker ended with “Check failed: jit_page.has_value()”.
    execArgv: ['--no-memory-protection-keys'],
    // Vitest's own second is short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Tests read these files and import none of them: with --changed, a change in them runs every test.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '{docs,labs,manifests,recordings}/**'],
    projects: [
      ...['shared', 'server', 'web', 'scripts', 'bench'].map(unit),
      integration,
      ...(hasCluster ? [cluster] : []),
    ],
  },
})
