import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { clusterEnded, testedOnCluster } from '../testing/checks.mjs'
import { openScreen } from '../testing/stages.mjs'
import { exitCodeOf, sum } from '../testing/tally.mjs'
import { openTestCluster as open } from '../testing/test-cluster.mjs'

const place = mkdtempSync(join(tmpdir(), 'expresslane-cluster-program-'))
afterAll(() => rmSync(place, { recursive: true }))

// A separate log, because the checkout's belongs to the run that these tests are part of.
const openTestCluster = (env: NodeJS.ProcessEnv) => open(env, join(place, 'cluster.log'))

/** A program that makes a cluster, as E2E_CLUSTER names it: its steps go into a file. */
function program(name: string, script: string): { readonly E2E_CLUSTER: string; steps(): string[] } {
  const [file, steps] = [join(place, name), join(place, `${name}.steps`)]
  writeFileSync(file, `step() { echo "$1" >>${steps}; }\n${script}\n`)
  writeFileSync(steps, '')
  return { E2E_CLUSTER: `bash ${file}`, steps: () => readFileSync(steps, 'utf8').split('\n').filter(Boolean) }
}

const whole = `step built; read -r _ || { step left; exit; }; step up
echo E2E_KUBECONFIG=/some/where; echo "E2E_API_PAUSE=api --why=x pause"; echo ready
read -r _ || step down`

test('a cluster from the environment is used unchanged, and kept', async () => {
  const env = { E2E_KUBECONFIG: '/my/kubeconfig', E2E_CLUSTER: 'false' }
  const cluster = openTestCluster(env)
  expect(await cluster.ready()).toBe(env)
  expect(await cluster.end()).toBe(true)
})

test('without either, it names the variables to set', async () => {
  expect(await openTestCluster({}).ready()).toMatch(/E2E_KUBECONFIG/)
})

test('.ci/run in a checkout without its sibling folder: the cluster is skipped, and nothing fails', async () => {
  const lone = join(place, 'lone', '.ci')
  mkdirSync(lone, { recursive: true })
  copyFileSync(inRoot('.ci', 'run'), join(lone, 'run'))
  const env = { ...process.env, E2E_KUBECONFIG: '', E2E_CLUSTER: `${lone}/run cluster` }
  const cluster = openTestCluster(env)
  expect(await cluster.ready()).toMatch(/^there is no \.\.\/shared\/cluster beside this checkout/)
  const printed: string[] = []
  const screen = openScreen((text) => void printed.push(text), place)
  const tally = await testedOnCluster({ node: process.execPath, env }, cluster, screen)
  expect(tally).toEqual({ passed: 0, failed: [], skipped: 1 })
  expect(printed.join('')).toMatch(/^SKIPPED the tests on a real Kubernetes cluster: there is no/)
  const end = await screen.live('end', clusterEnded(cluster))
  expect(exitCodeOf(sum([tally, end, { passed: 3, failed: [], skipped: 0 }]))).toBe(0)
})

test('a program creates a cluster when one is needed, and deletes it at the end', async () => {
  const { steps, ...env } = program('whole', whole)
  const cluster = openTestCluster({ ...process.env, E2E_KUBECONFIG: '', ...env })
  expect(await cluster.ready()).toEqual({ E2E_KUBECONFIG: '/some/where', E2E_API_PAUSE: 'api --why=x pause' })
  expect(steps()).toEqual(['built', 'up'])
  expect(await cluster.end()).toBe(true)
  expect(steps()).toEqual(['built', 'up', 'down'])
  expect(await cluster.end()).toBe(true)
})

test('a cluster that is not needed is not created', async () => {
  const { steps, ...env } = program('unwanted', whole)
  await openTestCluster({ ...process.env, E2E_KUBECONFIG: '', ...env }).end()
  expect(steps()).toEqual(['built', 'left'])
})

test('a program that fails reports why in its last output', async () => {
  const { E2E_CLUSTER } = program('broken', 'echo building >&2; echo "up: needs root" >&2; exit 1')
  const cluster = openTestCluster({ ...process.env, E2E_KUBECONFIG: '', E2E_CLUSTER })
  expect(await cluster.ready()).toMatch(/^up: needs root /)
  expect(await cluster.end()).toBe(true)
})

test('a missing program is reported', async () => {
  const cluster = openTestCluster({ ...process.env, E2E_KUBECONFIG: '', E2E_CLUSTER: join(place, 'nowhere') })
  expect(await cluster.ready()).toMatch(/nowhere.*ENOENT/)
})

test('a cluster that is not deleted is reported', async () => {
  const { E2E_CLUSTER } = program('stuck', 'read -r _; echo ready; read -r _ || exit 3')
  const cluster = openTestCluster({ ...process.env, E2E_KUBECONFIG: '', E2E_CLUSTER })
  expect(await cluster.ready()).toEqual({})
  const printed: string[] = []
  const screen = openScreen((text) => void printed.push(text), place)
  expect((await screen.live('end', clusterEnded(cluster))).failed).toEqual(['the cluster could not be deleted'])
  expect(printed).toEqual(['FAILED the cluster could not be deleted\n'])
})
