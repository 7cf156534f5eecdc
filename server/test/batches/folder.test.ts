/** The folder of a batch: it goes on where it was, and is merged. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KernelSeries } from '@expresslane/shared/compare/by-kernel'
import { batchResult, type BatchPlan } from '@expresslane/shared/wire/batch'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFolder } from '../../src/batches/folder.ts'
import { writeMerged } from '../../src/batches/merge.ts'
import { keepIn } from '../../src/batches/run.ts'
import { resultOf } from './results.ts'

const kernels = ['6.9.1', '6.12.43', '6.12.117', '7.0.2']
const cells = kernels.map((kernel) => ({ kernel, case: 'ipv4' }))
const plan: BatchPlan = {
  lab: 'how-big',
  digest: 'd',
  engine: 'local',
  params: { repeats: 4, order: undefined },
  cells,
}

async function aFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'expresslane-batch-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return join(path, 'batch')
}

describe('the folder of a batch', () => {
  it('has what was kept, for the same batch alone', async () => {
    const path = await aFolder()
    const first = await openFolder(path, plan)
    const [cell = { kernel: '6.9.1', case: 'ipv4' }] = cells
    await first.keep(resultOf(cell, 1300))
    const later = await openFolder(path, plan)
    expect(later.batch).toEqual(first.batch)
    expect(await later.results()).toEqual(new Map([['6.9.1.ipv4', resultOf(cell, 1300)]]))
    const refused = openFolder(path, { ...plan, params: { repeats: 5 }, digest: 'e' })
    await expect(refused).rejects.toMatchObject({
      code: 'bad_request',
      message: `The folder ${path} has another batch, with another digest, params.`,
    })
  })

  it('does not take half a file, or that of another cell or lab, for a result', async () => {
    const path = await aFolder()
    const folder = await openFolder(path, plan)
    const [one, two, three] = cells.map((cell) => resultOf(cell, 1300))
    await writeFile(join(path, 'cells', '6.9.1.ipv4.json'), JSON.stringify(one).slice(0, 500))
    await writeFile(join(path, 'cells', '6.12.43.ipv4.json'), JSON.stringify(three))
    const foreign = { ...two, kernel: '6.12.117', result: { ...two?.result, lab: 'other' } }
    await writeFile(join(path, 'cells', '6.12.117.ipv4.json'), JSON.stringify(foreign))
    expect(await folder.results()).toEqual(new Map())
  })

  it('is refused where a plan can’t be read', async () => {
    const path = await aFolder()
    await openFolder(path, plan)
    await writeFile(join(path, 'batch.json'), '{}')
    await expect(openFolder(path, plan)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('keeps only valid results, and says why a cell has none', async () => {
    const path = await aFolder()
    const folder = await openFolder(path, plan)
    const [cell = { kernel: '6.9.1', case: 'ipv4' }] = cells
    const said: string[] = []
    const keep = keepIn(folder, (line) => void said.push(line))
    await keep(cell, { where: 'pod a on node b', problem: 'OOMKilled\nall that it printed' })
    await keep(cell, { where: 'pod a on node b', output: '{"lab":' })
    expect(await readFile(join(path, 'cells', '6.9.1.ipv4.log'), 'utf8')).toBe('OOMKilled\nall that it printed\n')
    expect(await folder.results()).toEqual(new Map())
    const { result } = resultOf(cell, 1300)
    await keep(cell, { where: 'here', output: JSON.stringify(result) })
    expect(said[0]).toBe(
      `6.9.1.ipv4: no result (pod a on node b): OOMKilled. ${path}/cells/6.9.1.ipv4.log has its output.`,
    )
    expect(said[1]).toContain('no valid result')
    expect(said[2]).toBe('6.9.1.ipv4: It is faster. (here)')
  })

  it('is merged into one result in the order of the kernels, with the changes and a chart', async () => {
    const path = await aFolder()
    const folder = await openFolder(path, { ...plan, engine: 'kubernetes' })
    const values = [1300, 1301, 1360]
    for (const [at, value] of [...values.entries()].toReversed()) {
      const cell = cells[at]
      if (cell !== undefined) await folder.keep(resultOf(cell, value, `pod ${at}`))
    }
    const said: string[] = []
    await writeMerged(folder, 'How big?', (line) => void said.push(line))
    const result = batchResult.parse(JSON.parse(await readFile(join(path, 'result.json'), 'utf8')))
    expect(result.cells.map(({ kernel }) => kernel)).toEqual(kernels.slice(0, 3))
    expect(result.missing).toEqual(cells.slice(3))
    expect(result.note).toContain('3 of 4 cells, each measured by a counted machine of its own, in pods of a cluster')
    const series = JSON.parse(await readFile(join(path, 'series.json'), 'utf8')) as KernelSeries[]
    expect(series.map(({ arm, against }) => [arm, against])).toEqual([
      ['on', 'off'],
      ['off', null],
      ['on', null],
    ])
    expect(series[0]?.points.map(({ value }) => value)).toEqual([1.3, 1.301, 1.36])
    expect(series.map(({ changes }) => changes.map(({ previous, kernel }) => [previous, kernel]))).toEqual([
      [['6.12.43', '6.12.117']],
      [],
      [['6.12.43', '6.12.117']],
    ])
    expect(said).toEqual(['on, ipv4: the ratio goes from 1.300 with 6.12.43 to 1.360 with 6.12.117.'])
    const chart = await readFile(join(path, 'chart.svg'), 'utf8')
    expect(chart).toContain('<title>By kernel: How big?</title>')
    expect(chart).toContain('▲ 6.12.117')
    expect(chart).toContain(said[0])
    expect(await readdir(path)).toEqual(['batch.json', 'cells', 'chart.svg', 'result.json', 'series.json'])
  })
})
