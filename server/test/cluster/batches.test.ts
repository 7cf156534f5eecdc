/** A batch in a cluster: one Job of two pods, which is found again, merged and deleted. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { batchResult } from '@expresslane/shared/wire/batch'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { lab } from '../headless/lab-process.ts'
import { apply, kubectl, podsOf, removeNamespace, untilGone } from './support/kubectl.ts'

const image = process.env['E2E_APP_IMAGE'] ?? ''
const namespace = 'expresslane-batches'

beforeAll(async () => {
  await untilGone(namespace)
  const text = await readFile(new URL('../../../manifests/classroom/testbeds.yaml', import.meta.url), 'utf8')
  const here = text
    .replace('image: expresslane', `image: ${image}`)
    .replaceAll(/namespace: expresslane-testbeds$/gm, `namespace: ${namespace}`)
    .replace('name: expresslane-testbeds', `name: ${namespace}`)
  await apply(...parseAllDocuments(here).map((one) => one.toJS() as object))
})
afterAll(() => removeNamespace(namespace))

const jobs = async (): Promise<string> => (await kubectl('-n', namespace, 'get', 'jobs', '-o', 'name')).trim()

/** The folder of a test's batch, and the command that runs it: two cases of a lab, each for as short as it can be. */
async function aBatch(options: string[] = []) {
  const data = await mkdtemp(join(tmpdir(), 'expresslane-batch-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const short = ['--repeats', '1', '--duration', '1', '--warmups', '0', '--to', 'batch']
  const engine = ['--testbed', 'counted', '--engine', 'kubernetes', '--parallel', '2']
  const env = {
    KUBECONFIG: process.env['E2E_KUBECONFIG'] ?? '',
    EXPRESSLANE_TESTBEDS_NAMESPACE: namespace,
    INIT_CWD: data,
  }
  return {
    run: (onProgress?: Parameters<typeof lab>[3]) =>
      lab(data, ['jumbo-or-big-tcp', ...engine, ...short, ...options], env, onProgress),
    result: async () => batchResult.parse(JSON.parse(await readFile(join(data, 'batch', 'result.json'), 'utf8'))),
  }
}

describe.skipIf(image === '')('a batch in a cluster', () => {
  test('is one Job with a pod for each cell, which goes on after Ctrl-C, and leaves nothing', async () => {
    const { run, result } = await aBatch()
    let isStopping = false
    const stopped = await run((err, kill) => {
      if (isStopping || !err.includes('Made the Job')) return
      isStopping = true
      kill('SIGINT')
    })
    expect(stopped.code, stopped.err.slice(-4_000)).toBe(130)
    const name = /Made the Job (\S+); pods that it starts: 2/.exec(stopped.err)?.[1]
    expect(stopped.err).toContain(`kubectl -n ${namespace} delete job ${name}`)
    expect(await jobs()).toBe(`job.batch/${name}`)

    const { code, err } = await run()
    expect(code, err.slice(-4_000)).toBe(0)
    expect(err).toContain(`Found the Job ${name}`)
    const { cells, missing, note } = await result()
    expect(missing).toEqual([])
    expect(cells.map((cell) => [cell.case, cell.result.comparisons.length])).toEqual([
      ['rr', 3],
      ['stream', 3],
    ])
    for (const { where } of cells) expect(where).toMatch(/^pod batch-\S+ on node \S+$/)
    expect(note).toContain('2 of 2 cells')
    await expect.poll(jobs).toBe('')
    await expect.poll(() => podsOf(namespace)).toEqual(new Map())
  })

  test('names the reason of pods that fail, and the cells without a result', async () => {
    const { run, result } = await aBatch(['--kernels', '6.0.0-none', '--case', 'rr'])
    const { code, err } = await run()
    expect(code, err.slice(-4_000)).toBe(1)
    expect(err).toContain('6.0.0-none.rr: no result (pod batch-')
    expect(err).toContain('): Error, exit code 1. ')
    expect(err).toContain('Without a result: 6.0.0-none.rr')
    expect((await result()).missing).toEqual([{ kernel: '6.0.0-none', case: 'rr' }])
    await expect.poll(jobs).toBe('')
  })
})
