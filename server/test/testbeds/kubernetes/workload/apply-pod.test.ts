import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { note } from '../../../contract/contract-kit.ts'
import { createConsole } from '../../../../src/testbeds/kubernetes/exec/console.ts'
import { createReaper } from '../../../../src/testbeds/kubernetes/exec/reap.ts'
import { applyPod, type WorkloadParts } from '../../../../src/testbeds/kubernetes/workload/pod-ops.ts'
import { answering, status } from '../fake-api.ts'

const newborn =
  'pods "one" is forbidden: error looking up service account some/default: serviceaccount "default" not found'
const forbidden = 'pods "one" is forbidden: exceeded quota: none'
const made: RequestListener = (_request, response) => {
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'one', uid: 'abc' } }))
}

/** Parts on an API server that gives these answers in order, and the number of its requests. */
async function partsOn(...answers: readonly RequestListener[]): Promise<{ parts: WorkloadParts; asked: () => number }> {
  let count = 0
  const cluster = await answering((request, response) => {
    answers[count]?.(request, response)
    count += 1
  })
  const reaper = createReaper(cluster, 'some')
  const parts = {
    cluster,
    reaper,
    console: createConsole(cluster, reaper),
    namespace: 'some',
    image: 'an/image',
    podSeconds: 600,
  }
  return { parts, asked: () => count }
}

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', namespace: 'some' } }

test('a pod that is refused because its namespace has no service account yet is applied again', async () => {
  const { parts, asked } = await partsOn(status(403, newborn), made)
  expect(await applyPod(parts, pod, note())).toBe('abc')
  expect(asked()).toBe(2)
})

test('a pod that is refused for another reason is not', async () => {
  const { parts, asked } = await partsOn(status(403, forbidden), made)
  await expect(applyPod(parts, pod, note())).rejects.toMatchObject({ code: 'cluster_forbidden', detail: forbidden })
  expect(asked()).toBe(1)
})
