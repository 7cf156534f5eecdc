/** Opens files until the system lets it open no more, and then prints what preflight and a process that it starts say. */
import { closeSync, openSync } from 'node:fs'
import { LabError } from '@expresslane/shared/base/errors'
import { lackOfFiles } from '../../../src/testbeds/machine/open-files.ts'
import { createSpawner } from '../../../src/testbeds/machine/spawner.ts'

const spawner = createSpawner()
const surroundings = { env: { PATH: process.env['PATH'] ?? '' }, user: null }
const start = () => spawner.start({ argv: ['true'], surroundings, input: 'nothing', onLine: () => {} })
// The spawner's thread is there, with the files that it loads.
await (
  await start()
).closed
const said: (string | null)[] = [lackOfFiles()?.code ?? null]
const opened: number[] = []
try {
  for (;;) opened.push(openSync('/dev/null', 'r'))
} catch {
  // Now there are none left.
}
said.push(lackOfFiles()?.message ?? null)
const failed = await start().then(
  () => null,
  (error: unknown) => (error instanceof LabError ? error.code : 'other'),
)
for (const one of opened) closeSync(one)
said.push(failed, lackOfFiles()?.code ?? null)
process.stdout.write(`${JSON.stringify(said)}\n`)
