/** Batches with the real counted machine: one is stopped after its first cell, and goes on with the second one. */
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { batchResult } from '@expresslane/shared/wire/batch'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { nameOf } from '../../src/batches/cells.ts'
import { localCells } from '../../src/batches/local.ts'
import { preparedMachines } from '../../src/testbeds/counted/prepared.ts'
import { dataFolder, headless, lab } from '../headless/lab-process.ts'
import { lacksMachine } from '../testbeds/counted/here.ts'

/** Each cell takes some 10 s of CPU time, on a busy machine many times as long. */
const HANGS_MS = 1_200_000

describe.skipIf(lacksMachine !== null)('a batch', { timeout: HANGS_MS }, () => {
  test('that is interrupted goes on where it was, and is one result in the end', async () => {
    const data = await dataFolder()
    const cells = join(data, 'batch', 'cells')
    await mkdir(cells, { recursive: true })
    const kept = Promise.withResolvers<void>()
    const watcher = watch(cells, (_event, name) => {
      if (name?.endsWith('.json') === true) kept.resolve()
    })
    onTestFinished(() => watcher.close())
    // However many kernels are here.
    const kernel = (await preparedMachines())[0]?.release ?? ''
    const argv = ['two-families', '--testbed', 'counted', '--kernels', kernel, '--to', 'batch']
    const env = { EXPRESSLANE_LABS: join(import.meta.dirname, 'labs'), INIT_CWD: data }
    let isStopped = false
    const interrupted = await lab(data, argv, env, (_err, kill) => {
      if (isStopped) return
      isStopped = true
      void kept.promise.then(() => kill('SIGINT'))
    })
    expect(interrupted.code, interrupted.err.slice(-4_000)).toBe(130)
    expect(interrupted.err).toContain('Stopping. Run the same command to continue from here')
    const [first = '', ...others] = await readdir(cells)
    expect(others).toEqual([])
    const { mtimeMs } = await stat(join(cells, first))

    const { code, err } = await lab(data, argv, env)
    expect(code, err.slice(-4_000)).toBe(0)
    expect((await stat(join(cells, first))).mtimeMs).toBe(mtimeMs)
    const result = batchResult.parse(JSON.parse(await readFile(join(data, 'batch', 'result.json'), 'utf8')))
    expect(result.missing).toEqual([])
    expect(err.match(/: measuring/g)).toHaveLength(1)
    expect(result.cells.map((cell) => [cell.case, cell.result.comparisons.map(({ caseId }) => caseId)])).toEqual([
      ['ipv4', ['ipv4']],
      ['ipv6', ['ipv6']],
    ])
    for (const { result: one } of result.cells) expect(one.testbed.kernel).toBe(kernel)
    expect(result.cells.map(({ result: one }) => one.comparison?.verdict)).toEqual(['too-few', 'too-few'])

    const other = await lab(data, [...argv, '--repeats', '2'], env)
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('has another batch, with another params')])
  })

  test('that is interrupted while a cell begins measures no more', async () => {
    vi.stubEnv('EXPRESSLANE_LABS', join(import.meta.dirname, 'labs'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const [node = '', vitest = ''] = process.argv
    process.argv.splice(0, 2, node, headless)
    onTestFinished(() => void process.argv.splice(0, 2, node, vitest))
    const stop = new AbortController()
    const ended: string[] = []
    const run = localCells({ lab: 'two-families', params: {}, parallel: 1, say: () => stop.abort() })
    const cells = ['ipv4', 'ipv6'].map((only) => ({ kernel: null, case: only }))
    await run(cells, async (cell) => void ended.push(nameOf(cell)), stop.signal)
    expect(ended).toEqual([])
  })
})
