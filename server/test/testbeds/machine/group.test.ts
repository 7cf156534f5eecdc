import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { endGroup, membersOf } from '../../../src/testbeds/machine/group.ts'

/** A group of two processes. @returns its number */
async function startGroup(): Promise<number> {
  const script = 'sleep 60 & echo ready; wait'
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const { pid } = child
  if (pid === undefined) throw new Error('bash did not start')
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return pid
}

test('all processes of a group are found and ended', async () => {
  const group = await startGroup()
  const members = await membersOf(group)
  expect(members).toContain(group)
  expect(members).toHaveLength(2)
  await endGroup(group)
  expect(await membersOf(group)).toEqual([])
})

test('a look at all processes of the machine takes less than 1 kB for each', async () => {
  const group = await startGroup()
  const before = process.memoryUsage().arrayBuffers
  await membersOf(group)
  const taken = process.memoryUsage().arrayBuffers - before
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length
  expect(taken / processes).toBeLessThan(1024)
  await endGroup(group)
})
