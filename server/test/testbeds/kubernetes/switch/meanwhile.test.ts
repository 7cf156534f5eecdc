/** Work beside the restart of the agents: its begin, and its end before the settings are restored. */
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { note } from '../../../contract/contract-kit.ts'
import { createConsole } from '../../../../src/testbeds/kubernetes/exec/console.ts'
import { createReaper } from '../../../../src/testbeds/kubernetes/exec/reap.ts'
import { newIdentity } from '../../../../src/testbeds/kubernetes/lease/holder.ts'
import { switchSettings, type SwitchParts } from '../../../../src/testbeds/kubernetes/switch/switch.ts'
import { deployWorkload } from '../../../../src/testbeds/kubernetes/workload/workload.ts'
import { pair } from '../../../support/runs/pair.ts'
import { answering, status } from '../fake-api.ts'
import { keyed } from '../keys.ts'

type Answer = RequestListener | object

/** An object as an API server answers it. */
const stored = (name: string) => ({ metadata: { name, uid: `uid-${name}`, resourceVersion: '1' } })

/** Parts on an API server that answers as given, otherwise as a cluster without pods, with the changes that it was asked for. */
async function partsOn(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = []
  const usual: Readonly<Record<string, Answer>> = {
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews': { status: { allowed: true } },
    'GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/expresslane': status(404, 'none'),
    'POST /apis/coordination.k8s.io/v1/namespaces/kube-system/leases': stored('expresslane'),
    'PUT /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/expresslane': stored('expresslane'),
    'GET /api/v1/nodes': { items: [] },
    'GET /apis/cilium.io/v2/namespaces/kube-system/ciliumnodeconfigs': { items: [] },
  }
  const cluster = await answering((request, response) => {
    const line = `${request.method} ${request.url?.split('?')[0]}`
    if (/^(PATCH|DELETE)/.test(line)) asked.push(line)
    const answer = { ...usual, ...answers }[line] ?? status(404, `no ${line}`)
    if (typeof answer === 'function') answer(request, response)
    else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    }
  })
  const reaper = createReaper(cluster, 'some')
  const console = createConsole(cluster, reaper)
  const identity = newIdentity()
  const parts: SwitchParts = {
    cluster,
    reaper,
    console,
    namespace: 'some',
    image: 'an/image',
    podSeconds: 600,
    identity,
  }
  return { parts, asked }
}

const config = '/api/v1/namespaces/kube-system/configmaps/cilium-config'
const agents = '/api/v1/namespaces/kube-system/pods'
const agent = { metadata: { name: 'cilium-a', uid: 'old', namespace: 'kube-system' }, spec: { nodeName: 'one' } }
const oneAgent = {
  [`GET ${config}`]: { ...stored('cilium-config'), data: { 'enable-ipv4-big-tcp': 'false' } },
  [`PATCH ${config}`]: stored('cilium-config'),
  [`GET ${agents}`]: { metadata: { resourceVersion: '1' }, items: [agent] },
}

/** Calls back at each patch of the settings. */
const patched = (callback: () => void): Record<string, Answer> => ({
  [`PATCH ${config}`]: (_request, response) => {
    callback()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(stored('cilium-config')))
  },
})

test('begins when the setting is written, and has ended before it is restored after an error', async () => {
  const abort = new AbortController()
  const restored = Promise.withResolvers<void>()
  const { parts, asked } = await partsOn({
    ...oneAgent,
    ...patched(() => asked.includes('meanwhile') && restored.resolve()),
    [`DELETE ${agents}/cilium-a`]: status(403, 'not that one'),
  })
  const switching = switchSettings(
    parts,
    keyed({ ipv4: true }),
    async (_replaced, { signal }) => {
      asked.push('meanwhile')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      await new Promise((resolve) => setImmediate(resolve))
      asked.push('meanwhile has ended')
    },
    note(abort.signal),
  )
  await restored.promise
  expect(asked).toEqual([
    `PATCH ${config}`,
    'meanwhile',
    `DELETE ${agents}/cilium-a`,
    'meanwhile has ended',
    `PATCH ${config}`,
  ])
  // The switch waits for the agents, and this API server has none.
  abort.abort(new Error('enough'))
  await expect(switching).rejects.toThrow('enough')
})

test('is ended by a cancel, which restores the settings', async () => {
  const abort = new AbortController()
  const { parts, asked } = await partsOn(oneAgent)
  const switching = switchSettings(
    parts,
    keyed({ ipv4: true }),
    async (_replaced, { signal }) => {
      abort.abort(new Error('called off'))
      expect(signal.aborted).toBe(true)
      await new Promise((resolve) => setImmediate(resolve))
      asked.push('meanwhile has ended')
    },
    note(abort.signal),
  )
  await expect(switching).rejects.toThrow('called off')
  expect(asked).toContain('meanwhile has ended')
  expect(asked.filter((line) => line === `PATCH ${config}`)).toHaveLength(2)
})

test('is not begun if nothing could be written', async () => {
  const { parts, asked } = await partsOn({ ...oneAgent, [`PATCH ${config}`]: status(403, 'not that one') })
  const switching = switchSettings(parts, keyed({ ipv4: true }), async () => void asked.push('meanwhile'), note())
  await expect(switching).rejects.toMatchObject({ code: 'cluster_forbidden' })
  expect(asked).not.toContain('meanwhile')
})

test('an error of it is not one of the switch, which goes on', async () => {
  const abort = new AbortController()
  const deleted = Promise.withResolvers<void>()
  const { parts } = await partsOn({
    ...oneAgent,
    [`DELETE ${agents}/cilium-a`]: (request, response) => {
      deleted.resolve()
      status(409, 'gone')(request, response)
    },
  })
  const failing = (): Promise<never> => Promise.reject(new Error('no pods'))
  const switching = switchSettings(parts, keyed({ ipv4: true }), failing, note(abort.signal))
  await deleted.promise
  abort.abort(new Error('enough'))
  await expect(switching).rejects.toThrow('enough')
})

const pods = '/api/v1/namespaces/some/pods'
const old = (name: string) => ({
  metadata: {
    name,
    namespace: 'some',
    uid: `uid-${name}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'app.kubernetes.io/name': 'netperf', 'app.kubernetes.io/managed-by': 'expresslane' },
  },
  spec: { containers: [{ name: 'netperf' }] },
})

/** Pods that are gone once they are deleted, listed and watched. */
function podsApi() {
  const present = new Map(['netperf-client', 'netperf-server'].map((name) => [name, old(name)]))
  const gone = Promise.withResolvers<void>()
  const applied = Promise.withResolvers<string>()
  const watching = new Set<Parameters<RequestListener>[1]>()
  const list: RequestListener = (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (request.url?.includes('watch=true') === true) {
      watching.add(response)
      response.flushHeaders()
    } else response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [...present.values()] }))
  }
  const remove =
    (name: string): RequestListener =>
    (_request, response) => {
      const object = present.get(name)
      present.delete(name)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{}')
      for (const one of watching) one.write(`${JSON.stringify({ type: 'DELETED', object })}\n`)
      if (present.size === 0) gone.resolve()
    }
  const apply: RequestListener = (request, response) => {
    const body: Buffer[] = []
    request.on('data', (part: Buffer) => body.push(part))
    request.on('end', () => {
      applied.resolve(Buffer.concat(body).toString())
      status(422, 'enough')(request, response)
    })
  }
  return {
    gone: gone.promise,
    applied: applied.promise,
    answers: {
      [`GET ${pods}`]: list,
      [`GET /api/v1/namespaces/some/events`]: (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        if (request.url?.includes('watch=true') === true) response.flushHeaders()
        else response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }))
      },
      [`DELETE ${pods}/netperf-client`]: remove('netperf-client'),
      [`DELETE ${pods}/netperf-server`]: remove('netperf-server'),
      'PATCH /api/v1/namespaces/some': { ...stored('some'), status: { phase: 'Active' } },
      'PATCH /apis/networking.k8s.io/v1/namespaces/some/networkpolicies/netperf': stored('netperf'),
      [`PATCH ${pods}/netperf-client`]: apply,
      [`PATCH ${pods}/netperf-server`]: apply,
    } satisfies Record<string, Answer>,
  }
}

test('the old pods go at once; the new ones are created when no old agent is left, and tolerate the restart', async () => {
  const api = podsApi()
  const { parts, asked } = await partsOn(api.answers)
  const replaced = Promise.withResolvers<void>()
  const deploying = deployWorkload(parts, pair, 'other-node', note(), replaced.promise)
  await api.gone
  expect(asked.filter((line) => line.startsWith('PATCH'))).toEqual([])
  replaced.resolve()
  expect(await api.applied).toContain('node.cilium.io/agent-not-ready')
  await expect(deploying).rejects.toBeInstanceOf(Error)
})

test('a deploy that waits for the agents ends with its signal, and creates nothing', async () => {
  const api = podsApi()
  const { parts, asked } = await partsOn(api.answers)
  const abort = new AbortController()
  const deploying = deployWorkload(parts, pair, 'other-node', note(abort.signal), new Promise(() => {}))
  await api.gone
  abort.abort(new Error('the agents refused'))
  await expect(deploying).rejects.toThrow('the agents refused')
  expect(asked.filter((line) => line.startsWith('PATCH'))).toEqual([])
})
