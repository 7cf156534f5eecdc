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
    include: ['{src,test}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, clusterTests, integrationTests],
    env: { PATH: [noLabTools, process.env['PATH'] ?? ''].join(delimiter) },
  },
})

/** Tests that put modules of their own in place of others. */
const ownModules = '**/own-feature.test.{ts,tsx}'

/**
 * The unit tests of a package whose modules keep no state: the files of a worker share them, since loading them takes longer
 * than the tests. NAME-own has the tests that can't. A worker is for one package, so each is a group of its own.
 */
const sharing = (name: string, index: number) => {
  const { extends: base, test } = unit(name)
  const alone = { isolate: false, sequence: { groupOrder: index + 1 } }
  return [
    { extends: base, test: { ...test, ...alone, exclude: [...test.exclude, ownModules] } },
    { extends: base, test: { ...test, name: `${name}-own`, include: [ownModules] } },
  ]
}

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
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Vitest's own second is short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      ...['shared', 'web'].flatMap(sharing),
      ...['server', 'scripts', 'bench'].map(unit),
      integration,
      ...(hasCluster ? [cluster] : []),
    ],
  },
})
