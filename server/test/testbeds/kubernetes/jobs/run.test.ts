/** A Job from its start to its end, against an API server of the test's own. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createJobApi } from '../../../../src/testbeds/kubernetes/jobs/job-api.ts'
import { BATCH, TASKS } from '../../../../src/testbeds/kubernetes/jobs/manifest.ts'
import { createRunJob, problemOf, type TaskEnd } from '../../../../src/testbeds/kubernetes/jobs/run.ts'
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
  /** The status of the Job after it was made; null if it is deleted then. */
  readonly end: object | null
}

const job = (status: object): object => ({
  metadata: { name: 'batch-b1', uid: 'j1', labels: { [BATCH]: 'b1' }, annotations: { [TASKS]: JSON.stringify(names) } },
  status,
})

async function aCluster({ jobs, pods, end }: Served) {
  const asked: string[] = []
  let present = jobs
  const answer = ({ method = '', url = '' }: IncomingMessage): unknown => {
    const name = new URL(url, 'http://x').pathname.split('/namespaces/beds/')[1] ?? ''
    asked.push(`${method} ${name}`)
    if (name === 'podtemplates/testbed')
      return { metadata: { name: 'testbed', uid: 't1' }, template: { spec: { containers: [{ name: 'testbed' }] } } }
    if (name.endsWith('/log')) return `progress\n{"of":"${name}"}\n`
    if (method === 'DELETE') return { kind: 'Status', status: 'Success' }
    if (name === 'pods') return { items: pods }
    if (method === 'GET') return { items: present }
    present = end === null ? [] : [job(end)]
    return job({})
  }
  const cluster = await answering((request, response) => {
    const value = answer(request)
    const isText = typeof value === 'string'
    response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' })
    response.end(isText ? value : JSON.stringify(value))
  })
  return { run: createRunJob(createJobApi(cluster, 'beds'), 'beds'), asked }
}

const complete = { conditions: [{ type: 'Complete', status: 'True' }] }
const failed = { conditions: [{ type: 'Failed', status: 'True', message: 'Some indexes failed.' }] }

function listener() {
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
    const { run, asked } = await aCluster({
      jobs: [],
      pods: [0, 1, 2].map((one) => podObject(one, done)),
      end: complete,
    })
    const all = listener()
    await run(batch, all, idle)
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
    const pods = [podObject(0, done), podObject(1, killed), podObject(1, killed, 'p1-again')]
    const { run, asked } = await aCluster({ jobs: [job(failed)], pods, end: null })
    const all = listener()
    await run(batch, all, idle)
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
    expect(all.said).toContain('two: Failed, pod p1 on node worker')
  })

  it('that is deleted by somebody is an error', async () => {
    const { run } = await aCluster({ jobs: [], pods: [], end: null })
    await expect(run(batch, listener(), idle)).rejects.toMatchObject({
      code: 'testbed_gone',
      message: 'The Job batch-b1 was deleted.',
    })
  })

  it('goes on in the cluster after Ctrl-C, and says how to end it', async () => {
    const { run, asked } = await aCluster({ jobs: [], pods: [], end: {} })
    const all = listener()
    const stop = new AbortController()
    const say = (line: string): void => {
      all.say(line)
      stop.abort()
    }
    await run(batch, { ...all, say }, stop.signal)
    expect(all.said.at(-1)).toBe('The Job goes on in the cluster. To end it: kubectl -n beds delete job batch-b1')
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
    expect(problemOf(testbedPod.parse(podObject(0, status)), [])).toBe(words)
  })
})
