/** The server under measurement does not outlive the program that measures. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished, vi } from 'vitest'

const app = new URL('../src/support/app.ts', import.meta.url).href
const program = `const { openApp } = await import('${app}'); console.log((await openApp()).server.pid)`

it('ends when the program is killed', { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [pid] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  onTestFinished(() => {
    if (existsSync(`/proc/${pid}`)) process.kill(Number(pid))
  })
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 30_000 })
})
