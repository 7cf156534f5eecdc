import { readFileSync } from 'node:fs'
import type { RunEvent } from '@expresslane/shared/run/events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { follow } from '../../../../src/testbeds/kubernetes/api/followed.ts'
import { workloadPod, type WorkloadPod } from '../../../../src/testbeds/kubernetes/workload/pods.ts'
import { thePair, waitUntilReady, type Seen } from '../../../../src/testbeds/kubernetes/workload/workload-wait.ts'
import { progressLine } from '../../../contract/contract-kit.ts'
import { pairOf } from '../../../support/runs/pair.ts'

const names = { namespace: 'some', image: 'an/image:1', variant: 'other-node' } as const

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/kubernetes/pods/${name}.json`, import.meta.url), 'utf8'))
}

const ready = workloadPod.array().parse(read('pair'))
const uids = new Set(ready.map(({ metadata }) => metadata.uid))
const { status: unschedulable } = workloadPod.parse(read('unschedulable'))
const waiting = ready.map((pod) => ({ ...pod, status: unschedulable }))

/** Lists that a test hands out one by one. */
function watched() {
  const lists = new TransformStream<readonly WorkloadPod[], readonly WorkloadPod[]>()
  const writer = lists.writable.getWriter()
  return { pods: follow(lists.readable), push: (list: readonly WorkloadPod[]) => void writer.write(list) }
}

async function* silence(): AsyncGenerator<readonly unknown[], void, void> {
  yield []
  await new Promise<void>(() => {})
}

function begin(seen: Partial<Seen> & Pick<Seen, 'pods'>) {
  const reported: string[] = []
  const emit = (event: RunEvent): void => {
    const line = progressLine(event)
    if (line !== null) reported.push(line)
  }
  const all: Seen = { events: follow(silence()), ask: async () => {}, passing: async () => null, ...seen }
  let over = false
  const result = waitUntilReady(all, thePair(uids, names), { signal: new AbortController().signal, emit }).finally(
    () => {
      over = true
    },
  )
  // The test looks at a rejection later.
  result.catch(() => {})
  return { reported, result, isOver: () => over }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('pods that find no node', () => {
  test("are given up after the scheduler's next attempt, with its message", async () => {
    const { pods, push } = watched()
    push(waiting)
    const { result, reported, isOver } = begin({ pods })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(isOver()).toBe(false)
    expect(reported[0]).toMatch(/^netperf-\w+: Unschedulable: 0\/3 nodes are available/)
    await vi.advanceTimersByTimeAsync(3_000)
    await expect(result).rejects.toMatchObject({
      code: 'workload_not_ready',
      detail: expect.stringMatching(/^Unschedulable: 0\/3 nodes are available/),
      remedy: expect.stringContaining('two different nodes'),
    })
  })

  test('are waited for while a node has a temporary taint', async () => {
    const { pods, push } = watched()
    push(waiting)
    const kept = { node: 'kind-worker', taint: 'node.cilium.io/agent-not-ready' }
    const { result, reported, isOver } = begin({ pods, passing: async () => kept })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(isOver()).toBe(false)
    expect(
      reported.filter((one) => one === 'kind-worker: accepts no pods yet: node.cilium.io/agent-not-ready'),
    ).toHaveLength(1)
    push(ready)
    await vi.advanceTimersByTimeAsync(0)
    expect(pairOf((await result).placement).client.name).toBe('netperf-client')
  })

  test('are not waited for longer than a restart of agents may take', async () => {
    const { pods, push } = watched()
    push(waiting)
    const kept = { node: 'kind-worker', taint: 'node.cilium.io/agent-not-ready' }
    const { result } = begin({ pods, passing: async () => kept })
    await vi.advanceTimersByTimeAsync(75_000)
    await expect(result).rejects.toMatchObject({ code: 'workload_not_ready' })
  })

  test('are not given up because of states from before the API server went away', async () => {
    const { pods, push } = watched()
    push(waiting)
    const back = Promise.withResolvers<void>()
    const { result, isOver } = begin({ pods, ask: () => back.promise })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(isOver()).toBe(false)
    back.resolve()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(isOver()).toBe(false)
    push(ready)
    await vi.advanceTimersByTimeAsync(0)
    expect(pairOf((await result).placement).server.name).toBe('netperf-server')
  })
})
