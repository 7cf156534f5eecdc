/** A process that can open no more files says so. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProgram } from '../../support/http/process.ts'

it('is said by name, by preflight and where a process can’t be started, and is over when files are closed', async () => {
  const script = join(import.meta.dirname, '../../support/fakes/no-files-left.ts')
  const { out, err } = await startProgram('sh', ['-c', 'ulimit -n 128; exec "$0" "$1"', process.execPath, script], {})
    .ended
  expect(err).toBe('')
  expect(JSON.parse(out)).toEqual([
    null,
    'This server has too many open files (EMFILE), and can’t open more.',
    'too_many_files',
    null,
  ])
})
