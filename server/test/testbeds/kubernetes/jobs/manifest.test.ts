/** The Job of a batch, made of the template that the manifests have. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { V1Job, V1PodTemplate } from '@kubernetes/client-node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { jobOf, TASKS, type Task } from '../../../../src/testbeds/kubernetes/jobs/manifest.ts'

const text = await readFile(new URL('../../../../../manifests/classroom/testbeds.yaml', import.meta.url), 'utf8')
const template = parseAllDocuments(text)
  .map((one) => one.toJS() as V1PodTemplate)
  .find(({ kind }) => kind === 'PodTemplate')
if (template?.metadata === undefined) throw new Error('the manifests have a template')
template.metadata.uid = 'u1'

function aJob(tasks: readonly Task[], parallel = 20): V1Job {
  return jobOf('batch-1', { id: 'b1', tasks, parallel }, template ?? {})
}

const tasks = ['one', 'two', 'three'].map((name) => ({
  name,
  argv: ['node', '-e', `console.log("it's ${name}")`],
  file: `/tmp/${name}.json`,
}))

describe('the Job of a batch', () => {
  it('has a pod for each task, and belongs to the template', () => {
    const { metadata, spec } = aJob(tasks, 2)
    expect(metadata).toEqual({
      name: 'batch-1',
      labels: { 'expresslane/batch': 'b1' },
      annotations: { [TASKS]: '["one","two","three"]' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'PodTemplate', name: 'testbed', uid: 'u1' }],
    })
    expect(spec).toMatchObject({
      completionMode: 'Indexed',
      completions: 3,
      parallelism: 2,
      backoffLimitPerIndex: 1,
      activeDeadlineSeconds: 3 * 3600,
    })
    expect(aJob(tasks).spec).toMatchObject({ parallelism: 3, activeDeadlineSeconds: 2 * 3600 })
  })

  it('has the template’s pods, with room for Node, a folder to write to, and another command', () => {
    const pod = aJob(tasks).spec?.template
    const { containers: given = [], ...own } = template.template?.spec ?? {}
    expect(pod?.metadata?.labels).toEqual({
      'app.kubernetes.io/name': 'expresslane-testbed',
      'expresslane/batch': 'b1',
    })
    const { containers: [container] = [], volumes, ...others } = pod?.spec ?? {}
    expect(volumes).toEqual([{ name: 'tmp', emptyDir: {} }])
    expect(others).toEqual({ ...own, activeDeadlineSeconds: 3600 })
    expect(container).toMatchObject({
      name: 'testbed',
      image: 'expresslane',
      securityContext: given[0]?.securityContext,
      resources: { requests: { cpu: '250m', memory: '896Mi' }, limits: { memory: '1024Mi' } },
      volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
    })
  })

  it('runs the task of the pod’s index, and prints its file as one last line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'expresslane-job-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const value = { words: "two\nlines, and it's $HOME", list: [1, 2] }
    const writes = (name: string): Task => {
      const file = join(folder, `${name}.json`)
      const write = 'require("fs").writeFileSync(process.argv[1], process.argv[2]); console.log("progress")'
      return { name, argv: [process.execPath, '-e', write, file, JSON.stringify({ name, ...value }, null, 2)], file }
    }
    const fails = { name: 'fails', argv: [process.execPath, '-e', 'process.exit(3)'], file: join(folder, 'no') }
    const [file = '', ...args] =
      aJob([writes('one'), writes('two'), fails]).spec?.template.spec?.containers[0]?.command ?? []
    const run = (index: number) =>
      promisify(execFile)(file, args, { env: { ...process.env, JOB_COMPLETION_INDEX: String(index) } })
    const { stdout } = await run(1)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1] ?? '')).toEqual({ name: 'two', ...value })
    await expect(run(2)).rejects.toMatchObject({ code: 3 })
  })
})
