import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { removeLeftPolicy, withoutServices } from '../setup/services.mjs'

let file: string
let lock: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-services-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  file = join(folder, 'policy-rc.d')
  lock = join(folder, 'lock')
  writeFileSync(lock, '')
})

/** A set-up that is killed while it installs. */
async function killedSetUp(): Promise<void> {
  const module = JSON.stringify(inRoot('scripts', 'setup', 'services.mjs'))
  const script = `import { withoutServices } from ${module}
    await withoutServices(() => new Promise(() => { console.log('installing'); setInterval(() => {}, 1000) }), process.argv[1])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file])
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('the file is there while the work goes on, and no longer', async () => {
  await withoutServices(async () => {
    expect(readFileSync(file, 'utf8')).toContain('exit 101')
    removeLeftPolicy(file, lock)
    expect(existsSync(file)).toBe(true)
  }, file)
  expect(existsSync(file)).toBe(false)
})

test('the next start removes what a killed set-up left', async () => {
  await killedSetUp()
  expect(existsSync(file)).toBe(true)
  removeLeftPolicy(file, lock)
  expect(existsSync(file)).toBe(false)
})

test('the policy stays while the killed set-up’s apt still installs', async () => {
  await killedSetUp()
  const apt = spawn('flock', [lock, 'sh', '-c', 'echo locked; cat'])
  await once(apt.stdout, 'data')
  removeLeftPolicy(file, lock)
  expect(existsSync(file)).toBe(true)
  apt.stdin.end()
  await once(apt, 'exit')
  removeLeftPolicy(file, lock)
  expect(existsSync(file)).toBe(false)
})

test('the machine’s own file is left as it is', async () => {
  writeFileSync(file, '#!/bin/sh\nexit 104\n')
  await withoutServices(() => Promise.resolve(), file)
  removeLeftPolicy(file, lock)
  expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\nexit 104\n')
})
