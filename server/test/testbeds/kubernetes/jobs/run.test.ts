/** A Job from its start to its end, against an API server of the test's own. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createJobApi } from '../../../../src/testbeds/kubernetes/jobs/job-api.ts'
import { BATCH, TASKS } from '../../../../src/testbeds/kubernetes/jobs/manifest.ts'
import { createJobs, problemOf, type TaskEnd } from '../../../../src/testbeds/kubernetes/jobs/run.ts'
import { testbedPod } from '../../../../src/testbeds/kubernetes/testbed-pods/pod-state.ts'
import { answering } from '../fake-api.ts'

const names = ['one', 'two', 'three']
const batch = {
  id: 'b1',
  tasks: names.map((name) => ({ name, argv: ['true'], file: '/tmp/r' })),
  parallel: 2,
}

function podObject(index: number, status: object, name = `p${index}`): object {
  return {
    metadata: { name, uid: `u-${name}`, labels: { 'batch.kubernetes.io/job-completion-index': String(index) } },
    spec: { nodeName: 'worker', containers: [{ name: 'testbed' }] },
    status,
  }
}

const done = { phase: 'Succeeded' }
const killed = {
  phase: 'Failed',
  containerStatuses: [{ state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } }],
}

interface Served {
  /** The Jobs that are there at first. */
  readonly jobs: object[]
  readonly pods: object[]
  readonly end: object | null
}

/** An API server that ends the Job with the first watch. */
async function aCluster({ jobs, pods, end }: Served) {
  const asked: string[] = []
  const made = (status: object): object => ({
    metadata: { name: 'batch-b1', uid: 'j1', resourceVersion: '1', annotations: { [TASKS]: JSON.stringify(names) } },
    status,
  })
  let present = jobs
  const answer = ({ method = '', url = '' }: IncomingMessage): unknown => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    const name = pathname.split('/').slice(5).join('/')
    asked.push(`${method} ${name}${searchParams.has('watch') ? ' watch' : ''}`)
    if (name === 'podtemplates/testbed')
      return { metadata: { name: 'testbed', uid: 't1' }, template: { spec: { containers: [{ name: 'testbed' }] } } }
    if (pathname.endsWith('/log')) return `progress\n{"of":"${name}"}\n`
    const last = pathname.split('/').at(-1)
    if (method === 'DELETE') return { kind: 'Status', status: 'Success' }
    if (last === 'pods') return { metadata: { resourceVersion: '1' }, items: pods }
    if (method === 'POST') {
      present = [made({})]
      return present[0]
    }
    return { metadata: { resourceVersion: '1' }, items: present }
  }
  const cluster = await answering((request, response) => {
    const isWatch = request.url?.includes('watch=true') === true
    const value = answer(request)
    if (isWatch) {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url?.includes('/jobs') !== true) return void response.flushHeaders()
      const event = end === null ? { type: 'DELETED', object: made({}) } : { type: 'MODIFIED', object: made(end) }
      return void response.write(`${JSON.stringify(event)}\n`)
    }
    const isText = typeof value === 'string'
    response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' })
    response.end(isText ? value : JSON.stringify(value))
  })
  return { jobs: createJobs(createJobApi(cluster, 'beds'), 'beds'), asked, made }
}

const complete = { conditions: [{ type: 'Complete', status: 'True' }] }
const failed = { conditions: [{ type: 'Failed', status: 'True', message: 'Some indexes failed.' }] }

function told() {
  const ends: [string, TaskEnd][] = []
  const said: string[] = []
  return {
    ends,
    said,
    ended: (name: string, end: TaskEnd) => Promise.resolve(void ends.push([name, end])),
    say: (line: string) => void said.push(line),
  }
}

const idle = new AbortController().signal

describe('a Job', () => {
  it('is made, read when its pods have ended, and deleted', async () => {
    const { jobs, asked } = await aCluster({
      jobs: [],
      pods: [0, 1, 2].map((one) => podObject(one, done)),
      end: complete,
    })
    const all = told()
    await jobs.run(batch, all, idle)
    expect(new Map(all.ends)).toEqual(
      new Map(
        names.map((name, index) => [
          name,
          { where: `pod p${index} on node worker`, output: `{"of":"pods/p${index}/log"}` },
        ]),
      ),
    )
    expect(all.ends).toHaveLength(3)
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    expect(asked.at(-1)).toMatch(/^DELETE .*batch-b1/)
  })

  it('is found again by its label, and names the reasons of pods that failed', async () => {
    const here: object = {
      metadata: {
        name: 'batch-b1',
        uid: 'j1',
        labels: { [BATCH]: 'b1' },
        annotations: { [TASKS]: JSON.stringify(names) },
      },
    }
    const pods = [podObject(0, done), podObject(1, killed), podObject(1, killed, 'p1-again')]
    const { jobs, asked } = await aCluster({ jobs: [here], pods, end: failed })
    const all = told()
    await jobs.run(batch, all, idle)
    expect(asked.some((one) => one.startsWith('POST'))).toBe(false)
    expect(all.ends.slice(1)).toEqual([
      [
        'two',
        {
          where: 'pod p1-again on node worker',
          problem: 'OOMKilled, exit code 137\nprogress\n{"of":"pods/p1-again/log"}',
        },
      ],
      ['three', { where: 'no pod', problem: 'Some indexes failed.' }],
    ])
    expect(all.said).toContain('two: failed in pod p1 on node worker')
  })

  it('that is deleted by somebody is an error', async () => {
    const { jobs } = await aCluster({ jobs: [], pods: [], end: null })
    await expect(jobs.run(batch, told(), idle)).rejects.toMatchObject({
      code: 'testbed_gone',
      message: 'The Job batch-b1 was deleted.',
    })
  })

  it('goes on in the cluster after Ctrl-C, and says how to end it', async () => {
    const { jobs, asked } = await aCluster({ jobs: [], pods: [], end: {} })
    const all = told()
    const stop = new AbortController()
    const running = jobs.run(batch, { ...all, say: (line) => (all.say(line), stop.abort()) }, stop.signal)
    await running
    expect(all.said.at(-1)).toBe(
      'The Job batch-b1 goes on in the cluster. To end it: kubectl -n beds delete job batch-b1',
    )
    expect(asked.some((one) => one.startsWith('DELETE'))).toBe(false)
  })

  it.each([
    [
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' },
      'Evicted\nThe node was low on memory.',
    ],
    [{ phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 2 } } }] }, 'Ended, exit code 2'],
    [{ phase: 'Failed' }, 'Failed'],
  ])('has a pod that failed: %j', (status, words) => {
    expect(problemOf(testbedPod.parse(podObject(0, status)), '')).toBe(words)
  })
})
