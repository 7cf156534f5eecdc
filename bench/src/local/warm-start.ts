import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { spread, type Bench } from '../support/table.ts'

const LIMIT_MS = 800
const ROUNDS = 5
const root = join(import.meta.dirname, '../../..')

async function startOnce(data: string): Promise<number> {
  const began = performance.now()
  const start = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: '0', EXPRESSLANE_DATA: data },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const exited = once(start, 'exit')
  try {
    for await (const line of createInterface({ input: start.stdout })) {
      if (line.startsWith('Expresslane is ready: ')) return performance.now() - began
    }
    throw new Error('npm start ended before it was ready')
  } finally {
    if (start.pid !== undefined) process.kill(-start.pid, 'SIGTERM')
    await exited
  }
}

/** From `npm start` on an installed checkout until the server is ready. */
export const warmStart: Bench = async () => {
  const times: number[] = []
  // The first start updates outdated parts, and does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const data = await mkdtemp(join(tmpdir(), 'expresslane-bench-'))
    const time = await startOnce(data)
    if (round > 0) times.push(time)
    await rm(data, { recursive: true, force: true })
  }
  return {
    what: 'Second `npm start` to the printed link',
    bound: '<= 0.8 s',
    measured: spread(times, 0, ' ms'),
    how: `${ROUNDS} starts`,
    holds: Math.max(...times) <= LIMIT_MS,
  }
}
