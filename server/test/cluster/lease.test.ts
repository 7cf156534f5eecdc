import { execFileSync, spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { V1MicroTime } from '@kubernetes/client-node'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Http1KubeConfig } from '../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { createCluster, type Cluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { newIdentity, provablyGone } from '../../src/testbeds/kubernetes/lease/holder.ts'
import { createLeaseStore, type LeaseStore } from '../../src/testbeds/kubernetes/lease/lease-store.ts'
import { holdLease, readHolder, type Held } from '../../src/testbeds/kubernetes/lease/lease.ts'
import { note, type Noted } from '../contract/contract-kit.ts'

/** Another name than the product's: these tests keep nobody from switching. */
const name = `expresslane-test-${process.pid}`
const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''
const open = new AbortController().signal

let cluster: Cluster
let store: LeaseStore

beforeAll(() => {
  const config = new Http1KubeConfig()
  config.loadFromFile(kubeconfig)
  cluster = createCluster(config)
  store = createLeaseStore(cluster, name)
})

afterEach(() => {
  kubectl('delete', '--ignore-not-found')
})

function kubectl(verb: string, ...more: string[]): string {
  const argv = ['-n', 'kube-system', verb, 'lease', name, ...more]
  return execFileSync('kubectl', argv, { env: { ...process.env, KUBECONFIG: kubeconfig }, encoding: 'utf8' })
}

/** Holds the lease until let go. */
function hold(context: Noted = note(), identity = newIdentity()) {
  const taken = Promise.withResolvers<Held>()
  const letGo = Promise.withResolvers<void>()
  const ended = holdLease({ cluster, identity, name }, context, async (held) => {
    taken.resolve(held)
    await letGo.promise
    await held.confirm(context)
  })
  taken.promise.catch(() => {})
  ended.catch(taken.reject)
  return { identity, taken: taken.promise, letGo: letGo.resolve, ended }
}

/** A lease as somebody of another machine left it, who renews it no more. */
async function leave(identity: string, seconds: number): Promise<void> {
  const time = new V1MicroTime()
  const spec = { holderIdentity: identity, leaseDurationSeconds: seconds, acquireTime: time, renewTime: time }
  expect(await store.write(await store.read(open), spec, open)).not.toBeNull()
}

test('is held by one process with its name in it, and released at the end', async () => {
  const one = hold()
  await one.taken
  expect(await readHolder({ cluster, name }, open)).toMatchObject({ identity: one.identity, seconds: 30 })
  expect(kubectl('get')).toContain(hostname())
  one.letGo()
  await one.ended
  expect(await readHolder({ cluster, name }, open)).toBeNull()
  expect((await store.read(open))?.holder).toBeNull()
})

test('is released by work that fails, and the next process takes it at once', async () => {
  const failing = holdLease({ cluster, identity: newIdentity(), name }, note(), () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  const context = note()
  const next = hold(context)
  await next.taken
  expect(context.events).toEqual([])
  next.letGo()
  await next.ended
})

test('a second process stops waiting once the holder renews, and its error names the holder', async () => {
  const first = hold()
  await first.taken
  const context = note()
  await expect(hold(context).ended).rejects.toMatchObject({
    code: 'cluster_locked',
    message: expect.stringMatching(
      new RegExp(
        `${hostname()} \\(process ${process.pid}\\), since \\d\\d:\\d\\d:\\d\\d UTC; its lease expires in \\d+ s`,
      ),
    ) as string,
  })
  expect(context.events).toContainEqual(
    expect.objectContaining({ type: 'progress', message: expect.stringContaining(hostname()) as string }),
  )
  first.letGo()
  await first.ended
})

test('is taken over after its duration, if its holder does not renew it', async () => {
  await leave('somebody-else', 2)
  const context = note()
  const next = hold(context)
  await next.taken
  expect(context.events.map((event) => (event.type === 'progress' ? event.message : ''))).toContainEqual(
    expect.stringContaining('somebody-else'),
  )
  expect((await store.read(open))?.transitions).toBe(1)
  next.letGo()
  await next.ended
})

test('is taken over at once from a process of this machine that is gone', async () => {
  const { pid } = spawnSync('true')
  const gone = newIdentity(pid)
  expect(provablyGone(gone)).toBe(true)
  expect(provablyGone(newIdentity())).toBe(false)
  expect(provablyGone(`${hostname()}_${pid}_0123456789ab_01234567`)).toBe(false)
  await leave(gone, 3600)
  expect(await readHolder({ cluster, name }, open)).toBeNull()
  const context = note()
  const next = hold(context)
  await next.taken
  expect(context.events).toEqual([])
  next.letGo()
  await next.ended
})

test('a process that lost the lease fails, changes nothing more, and does not touch the other’s lease', async () => {
  const one = hold()
  const held = await one.taken
  await leave('somebody-else', 60)
  await new Promise((resolve) => held.lost.addEventListener('abort', resolve, { once: true }))
  one.letGo()
  await expect(one.ended).rejects.toMatchObject({
    code: 'cluster_locked',
    message: expect.stringContaining('somebody-else') as string,
  })
  expect((await store.read(open))?.holder?.identity).toBe('somebody-else')
})

test('waiting for another holder can be cancelled', async () => {
  await leave('somebody-else', 3600)
  const abort = new AbortController()
  const reason = new Error('called off')
  const context = note(abort.signal)
  const waiting = hold({ ...context, emit: () => abort.abort(reason) })
  await expect(waiting.ended).rejects.toBe(reason)
})
