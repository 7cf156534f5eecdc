/** The headless command as a script runs it: a process, its exit code, its streams and its files. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { programFile } from '../support/http/process.ts'

/** The program of the command. */
export const headless = programFile('src/headless.ts')

/** How the process ended, and all that it printed. */
interface Ended {
  code: number | null
  out: string
  err: string
}

/** A folder for what a test's processes write; it goes when the test ends. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-headless-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs the command to its end.
 *
 * @param data the folder for its history
 * @param onProgress gets all that was printed to stderr so far, and a function that signals the process
 */
export function lab(
  data: string,
  argv: string[],
  env: Record<string, string> = {},
  onProgress: (err: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [headless, ...argv], {
      env: { ...process.env, EXPRESSLANE_DATA: data, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ended.err += text
      onProgress(ended.err, (signal) => child.kill(signal))
    })
    child.on('error', reject).on('close', (code) => resolve({ code, ...ended }))
  })
}
