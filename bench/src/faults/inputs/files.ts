/** Recordings and lab files with changes. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Random } from '@expresslane/shared/compare/stats/random'
import { formatRecording, parseRecording, type Recording } from '@expresslane/shared/recordings/recording'
import { z } from 'zod'
import { clockOf } from '../../support/queued.ts'
import { send } from './api.ts'
import type { Kind, Outcome } from './kind.ts'
import { mutateJson, mutateText, pick, whole } from './mutate.ts'

const root = join(import.meta.dirname, '../../../..')

async function textsIn(folder: string, suffix: string): Promise<string[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(suffix)).toSorted()
  return Promise.all(names.map((name) => readFile(join(root, folder, name), 'utf8')))
}

/** A recording with one short run, so that a change meets something. */
function shortened(random: Random, recorded: Recording): Recording {
  const run = pick(random, recorded.runs)
  const from = whole(random, Math.max(1, run.events.length - 20))
  const events = [...run.events.slice(0, 1), ...run.events.slice(from, from + 12), ...run.events.slice(-1)]
  return { ...recorded, runs: [{ ...run, events }] }
}

/** The lines of a recording, each of them changed now and then; some as the one value of an earlier version. */
function changedText(random: Random, recording: Recording): string {
  const change = (value: unknown, share: number): unknown => (random() < share ? mutateJson(random, value) : value)
  if (random() < 0.3) return JSON.stringify(change({ ...recording, version: 1 + whole(random, 4) }, 0.8), null, 1)
  const values = formatRecording(recording)
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  return values.map((value) => `${JSON.stringify(change(value, 0.1))}\n`).join('')
}

export const recordingInputs: Kind = {
  name: 'recordings',
  share: 4,
  atOnce: 4,
  async open(app, random) {
    const agent = new Agent({ keepAlive: true })
    const recordings = (await textsIn('recordings', '.jsonl')).map(parseRecording)
    return async () => {
      const changed = changedText(random, shortened(random, pick(random, recordings)))
      const body = random() < 0.4 ? mutateText(random, changed) : changed
      const headers = { 'content-type': 'application/json' }
      return [await send(app, agent, { method: 'POST', path: '/api/recordings', headers, body })]
    }
  },
}

const catalogue = z.looseObject({
  labs: z.array(z.looseObject({ file: z.string().nullable() })),
  problems: z.array(z.looseObject({ file: z.string() })),
})

const BATCH = 40
const LOOK_MS = 50
/** Without the time for which the machine had no processor for it. */
const READ_WITHIN_MS = 30_000

/** Lab files in a folder that the server watches. @param folder named by `EXPRESSLANE_LABS` */
export function labInputs(folder: string): Kind {
  return {
    name: 'lab files',
    share: 8,
    atOnce: 1,
    async open(app, random) {
      const texts = await textsIn('labs', '.md')
      let batch = 0
      let before: readonly string[] = []
      return async () => {
        batch += 1
        const names = Array.from({ length: BATCH }, (_, index) => `b${batch}-${index}.md`)
        await Promise.all(before.map((name) => rm(join(folder, name))))
        await Promise.all(names.map((name) => writeFile(join(folder, name), mutateText(random, pick(random, texts)))))
        before = names
        const taken = clockOf(app.server.pid ?? Number.NaN)
        for (;;) {
          const { labs, problems } = catalogue.parse(await app.ask('GET', '/api/labs'))
          const read = new Set([...labs, ...problems].map(({ file }) => file?.split('/').at(-1)))
          const missing = names.filter((name) => !read.has(name))
          if (missing.length === 0) return names.map((name): Outcome => ({ status: 200, said: name }))
          if (taken() > READ_WITHIN_MS) throw new Error(`lab files were not read: ${missing.join(' ')}`)
          await setTimeout(LOOK_MS)
        }
      }
    },
  }
}
