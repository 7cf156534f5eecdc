/** Drives a crowd of followers (`crowd.ts`) from a bench. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { door } from '@expresslane/shared/wire/board'
import type { BenchApp } from '../support/app.ts'
import { crowdReport, type CrowdReport } from './crowd-report.ts'

const script = join(import.meta.dirname, 'crowd.ts')

export interface Crowd {
  /** Replaces the crowd with `followers` followers. `slow` of them stop reading. */
  connect(followers: number, slow?: number): Promise<CrowdReport>
  report(): Promise<CrowdReport>
  /** Disconnects all. */
  leave(): Promise<void>
  close(): Promise<void>
}

/** Opens the followers' door, and starts the crowd's process. @param cpu the processor for the crowd; null for any */
export async function gather(app: BenchApp, cpu: number | null): Promise<Crowd> {
  const { link } = door.parse(await app.ask('PUT', '/api/room/doors/viewer', { open: true }))
  if (link === null) throw new Error('the door is closed')
  const path = new URL(link, app.origin).pathname
  const pinned = cpu === null ? [] : ['taskset', '-c', `${cpu}`]
  const [command, ...argv] = [...pinned, process.execPath, script, app.origin, path]
  const child = spawn(command, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function ask(what: unknown): Promise<CrowdReport> {
    child.stdin.write(`${JSON.stringify(what)}\n`)
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the crowd’s process has ended')
    return crowdReport.parse(JSON.parse(value))
  }

  return {
    connect: (followers, slow = 0) => ask({ connect: followers, slow }),
    report: () => ask({ report: true }),
    async leave() {
      await ask({ close: true })
    },
    async close() {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}
