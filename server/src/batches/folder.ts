/** The folder of a batch: its plan, and a file for each cell that was measured. A file is whole, or not there. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { LabError } from '@expresslane/shared/base/errors'
import {
  batchPlan,
  cellResult,
  storedBatch,
  type BatchPlan,
  type CellResult,
  type StoredBatch,
} from '@expresslane/shared/wire/batch'
import { notWritten } from '../headless/result-file.ts'
import { nameOf } from './cells.ts'

export interface BatchFolder {
  readonly path: string
  readonly batch: StoredBatch
  /** The valid results, by the name of their cell: a cell without one has to be measured. */
  results(): Promise<ReadonlyMap<string, CellResult>>
  keep(result: CellResult): Promise<void>
  /** Writes a file besides the cells. @param content text, or a value for JSON @throws LabError `bad_request`, `data_full` */
  write(name: string, content: unknown): Promise<void>
}

/** Null if there is no such file, or no such JSON in it. */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch {
    return null
  }
}

/** @throws LabError `bad_request` where the folder has another plan */
function requireSame(path: string, stored: unknown, plan: BatchPlan): StoredBatch {
  const { data } = storedBatch.safeParse(stored)
  const keys = batchPlan.keyof().options.filter((key) => !isDeepStrictEqual(data?.[key], plan[key]))
  if (data !== undefined && keys.length === 0) return data
  throw new LabError(
    'bad_request',
    `The folder ${path} has another batch, with another ${keys.join(', ')}.`,
    'Name another folder with --to, or give the options with which the batch was begun.',
  )
}

/**
 * Makes the folder, or goes on in it.
 *
 * @throws LabError `bad_request` where the folder has another batch, or can't be written; `data_full`
 */
export async function openFolder(path: string, plan: BatchPlan): Promise<BatchFolder> {
  const cells = join(path, 'cells')

  async function write(name: string, content: unknown): Promise<void> {
    const file = join(path, name)
    const part = `${file}.${process.pid}.part`
    try {
      await mkdir(cells, { recursive: true, mode: 0o700 })
      await writeFile(part, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
      await rename(part, file)
    } catch (error) {
      throw notWritten(file, error)
    }
  }

  // As it is read again: without what is undefined.
  const asked = batchPlan.parse(JSON.parse(JSON.stringify(plan)))
  const stored = await readJson(join(path, 'batch.json'))
  const batch = stored === null ? { ...asked, id: randomBytes(12).toString('hex') } : requireSame(path, stored, asked)
  // Shows, before anything is measured, that the folder can be written.
  await write('batch.json', batch)

  return {
    path,
    batch,
    async results() {
      const found = new Map<string, CellResult>()
      for (const file of await readdir(cells)) {
        const { data } = cellResult.safeParse(await readJson(join(cells, file)))
        if (data?.result.lab === plan.lab && file === `${nameOf(data)}.json`) found.set(nameOf(data), data)
      }
      return found
    },
    keep: (result) => write(join('cells', `${nameOf(result)}.json`), result),
    write,
  }
}
