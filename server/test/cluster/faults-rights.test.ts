/** With the rights of manifests/rbac.yaml everything works; if one is missing, the error names it before anything is changed. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { labResult } from '@expresslane/shared/wire/headless'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describePermission, type Permission } from '../../src/testbeds/kubernetes/api/permission.ts'
import { allPermissions } from '../../src/testbeds/kubernetes/api/permissions.ts'
import { dataDir } from '../support/deps.ts'
import { ciliumKeys } from '../../src/features/registry.ts'
import { createKubernetesTestbed } from '../../src/testbeds/kubernetes/index.ts'
import { note } from '../contract/contract-kit.ts'
import { ciliumConfig, podsOf, putBack } from './support/kubectl.ts'
import { programFile, type AtEnd } from '../support/http/process.ts'
import { clusterEnv, expectPassed, startLabServer, type LabServer } from './support/lab-server.ts'
import { account, grant, grantReadOnly, NAME, removeGrants } from './support/rights.ts'

const headless = programFile('src/headless.ts')

const permissions = allPermissions(NAME).map(describePermission)
const MAKE_NAMESPACE = 'create namespaces'

/** Grants all of manifests/rbac.yaml but this. */
async function grantAllBut(described: string): Promise<Permission> {
  const without = allPermissions(NAME).find((one) => describePermission(one) === described)
  if (without === undefined) throw new Error(`no such permission: ${described}`)
  await grant(without)
  return without
}

let before: Readonly<Record<string, string>>
beforeAll(async () => {
  before = await ciliumConfig()
})
afterEach(() => putBack(before))
afterAll(removeGrants)

/**
 * The environment of a server, or of the headless command: the service account's token and nothing else.
 *
 * @param atEnd of the test, if it is not of several
 */
async function envOfAccount(atEnd?: AtEnd): Promise<{ data: string; env: Record<string, string> }> {
  const data = dataDir(atEnd)
  const kubeconfig = join(data, 'kubeconfig')
  writeFileSync(kubeconfig, JSON.stringify(await account()), { mode: 0o600 })
  const own = { KUBECONFIG: kubeconfig, EXPRESSLANE_CONTEXT: NAME, EXPRESSLANE_NAMESPACE: NAME }
  return { data, env: await clusterEnv(data, own) }
}

it('a service account with just these rights runs a whole lab', async () => {
  await grant()
  const { data, env } = await envOfAccount()
  const json = join(data, 'result.json')
  // Over IPv6: the server in the cluster walks the lab over IPv4, in a browser.
  const lab = ['big-tcp-ipv6', '--testbed', 'kubernetes', '--repeats', '1', '--duration', '1', '--json', json]
  await promisify(execFile)(process.execPath, [headless, ...lab], { env: { PATH: process.env['PATH'], ...env } })
  const { testbed, arms } = labResult.parse(JSON.parse(readFileSync(json, 'utf8')))
  expect(testbed.kind).toBe('kubernetes')
  expect(arms.map(({ packetsPerRequest }) => Math.round(packetsPerRequest ?? Number.NaN))).toEqual([2, 1])
  expect(await ciliumConfig()).toEqual(before)
  expect((await podsOf(NAME)).size).toBe(0)
})

it('read-only: pods are deployed, the agents and nodes are unknown, and nothing is measured or switched', async () => {
  await grantReadOnly()
  const { env } = await envOfAccount()
  const server = await startLabServer(env)
  const session = await server.session()
  const { checks } = await server.run(session, 'preflight')
  expect(checks.find(({ id }) => id === 'access')).toMatchObject({
    status: 'failed',
    blocks: ['big-tcp-ipv4', 'big-tcp-ipv6', 'lb-acceleration', 'lb-mode'],
  })
  expect(checks.length).toBeGreaterThan(5)
  expect((await server.run(session, 'deploy')).problem).toBeNull()
  // Without the nodes' sizes nobody knows which arm this is.
  const { problem } = await server.run(session, 'baseline', { params: { repeats: 1, seconds: 1 } })
  expect(problem?.code).toBe('step_not_ready')
  expect(problem?.message).toContain('pods/exec')
  const { datapath } = await server.testbed()
  expect(datapath?.settings?.['big-tcp-ipv4']).toBe(false)
  expect(datapath?.agents?.map(({ settings, unreadable }) => [settings, unreadable !== null])).toEqual(
    datapath?.agents?.map(() => [null, true]),
  )
  expect(datapath?.kernel.map(({ role }) => role)).toEqual(['pod', 'pod'])
  expect(datapath?.unread.length).toBeGreaterThan(0)
  const refused = await server.run(session, 'enable')
  expect(refused.problem).toMatchObject({ code: 'cluster_forbidden' })
  expect(refused.problem?.message).toContain('pods/exec')
  expect(await ciliumConfig()).toEqual(before)
})

describe('a missing verb', () => {
  /** Shared by all tests: it checks its permissions again at each step. */
  let server: LabServer
  let env: Record<string, string>
  const ends: (() => void)[] = []
  beforeAll(async () => {
    await grant()
    const atEnd = (end: () => void): void => void ends.unshift(end)
    env = (await envOfAccount(atEnd)).env
    // Only with a client outside is a service needed. It is not used here: `env` runs its arguments on this machine.
    server = await startLabServer({ ...env, EXPRESSLANE_OUTSIDE: 'env' }, atEnd)
  })
  afterAll(() => {
    for (const end of ends) end()
  })

  it.each([
    ['enable', 'patch configmaps "cilium-config" in namespace kube-system'],
    ['enable', 'create leases.coordination.k8s.io in namespace kube-system'],
    ['deploy', `create pods in namespace ${NAME}`],
    ['deploy', `create networkpolicies.networking.k8s.io in namespace ${NAME}`],
    ['deploy', `create pods/exec in namespace ${NAME}`],
  ])('%s without: %s', async (stepId, described) => {
    const { namespace, resource, subresource, verb } = await grantAllBut(described)
    const agents = await podsOf('kube-system', 'k8s-app=cilium')
    // The pods of the test before, if it ran: they are left alone.
    const pods = await podsOf(NAME)
    const { problem } = await server.run(await server.session(), stepId)
    expect(problem?.code, `${problem?.message} ${problem?.detail}`).toBe('cluster_forbidden')
    expect(problem?.message).toContain(verb)
    expect(problem?.message).toContain(resource)
    if (subresource !== undefined) expect(problem?.message).toContain(subresource)
    expect(problem?.message).toContain(namespace)
    expect(await ciliumConfig()).toEqual(before)
    expect(await podsOf('kube-system', 'k8s-app=cilium')).toEqual(agents)
    expect(await podsOf(NAME)).toEqual(pods)
  })

  it('is named by preflight, whichever it is', async () => {
    await grant()
    const session = await server.session()
    expectPassed(await server.run(session, 'preflight'))
    const { KUBECONFIG } = env
    const outside = { command: ['env'], env: {} }
    const image = process.env['E2E_NETPERF_IMAGE'] ?? ''
    const options = {
      env: { KUBECONFIG },
      context: NAME,
      namespace: NAME,
      image,
      podSeconds: 3600,
      keys: ciliumKeys(),
      outside,
    }
    const testbed = createKubernetesTestbed(options)
    for (const described of permissions.filter((one) => one !== MAKE_NAMESPACE)) {
      await grantAllBut(described)
      const checks: Check[] = []
      for await (const one of testbed.preflight(note())) {
        checks.push(one)
        // The checks after `access` do not ask for permissions.
        if (one.id === 'access') break
      }
      expect(checks.at(-1), `without: ${described}`).toMatchObject({
        id: 'access',
        status: 'failed',
        seen: expect.stringContaining(described) as string,
      })
    }
    await testbed.close()
    // The namespace exists: nobody needs to make it.
    await grantAllBut(MAKE_NAMESPACE)
    expectPassed(await server.run(session, 'preflight'))
  })
})
