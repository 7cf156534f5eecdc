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
  type BatchCell,
  type BatchPlan,
  type CellResult,
  type StoredBatch,
} from '@expresslane/shared/wire/batch'
import { notWritten } from '../headless/result-file.ts'
import { nameOf } from './cells.ts'

export interface BatchFolder {
  readonly path: string
  readonly batch: StoredBatch
  /** The cell's result; null if it has none that is valid, and so has to be measured. */
  read(cell: BatchCell): Promise<CellResult | null>
  /** All valid results, also those of a bisection between its ends. */
  readAll(): Promise<CellResult[]>
  keep(result: CellResult): Promise<void>
  /** Writes a file of the batch besides its cells. @throws LabError `bad_request`, `data_full` */
  write(name: string, text: string): Promise<void>
}

/** @throws LabError `bad_request`, `data_full` */
async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, text)
    await rename(part, file)
  } catch (error) {
    throw notWritten(file, error)
  }
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
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
  const other =
    data === undefined ? 'a file batch.json that is no plan' : `another batch: its ${keys.join(', ')} differ`
  throw new LabError(
    'bad_request',
    `The folder ${path} has ${other}.`,
    'Name another folder with --to, or give the options with which the batch was begun.',
  )
}

/**
 * Makes the folder, or goes on in it.
 *
 * @throws LabError `bad_request` where the folder has another batch, or can't be written; `data_full`
 */
export async function openFolder(path: string, plan: BatchPlan): Promise<BatchFolder> {
  const [cells, file] = [join(path, 'cells'), join(path, 'batch.json')]
  await mkdir(cells, { recursive: true, mode: 0o700 }).catch((error: unknown) =>
    Promise.reject(notWritten(path, error)),
  )
  // As it is read again: without what is undefined.
  const asked = batchPlan.parse(JSON.parse(JSON.stringify(plan)))
  const stored = await readJson(file)
  const batch = stored === null ? { ...asked, id: randomBytes(12).toString('hex') } : requireSame(path, stored, asked)
  if (stored === null) await writeWhole(file, jsonText(batch))

  async function readFrom(name: string): Promise<CellResult | null> {
    const { data } = cellResult.safeParse(await readJson(join(cells, name)))
    return data?.result.lab === plan.lab && `${nameOf(data)}.json` === name ? data : null
  }

  return {
    path,
    batch,
    read: (cell) => readFrom(`${nameOf(cell)}.json`),
    async readAll() {
      const names = (await readdir(cells)).filter((name) => name.endsWith('.json'))
      return (await Promise.all(names.map(readFrom))).filter((one) => one !== null)
    },
    keep: (result) => writeWhole(join(cells, `${nameOf(result)}.json`), jsonText(result)),
    write: (name, text) => writeWhole(join(path, name), text),
  }
}
