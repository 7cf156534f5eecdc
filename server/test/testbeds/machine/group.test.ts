import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { endGroup, membersOf } from '../../../src/testbeds/machine/group.ts'

/** A group of two processes: its number, and what its leader prints. */
async function startTalkingGroup(): Promise<{ group: number; output: Readable }> {
  const script = 'sleep 60 & echo ready; wait; echo "the leader continues"'
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const { pid } = child
  if (pid === undefined) throw new Error('bash did not start')
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { group: pid, output: child.stdout }
}

const startGroup = async (): Promise<number> => (await startTalkingGroup()).group

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

test('stopped processes end by SIGTERM, as others do: nobody waits for SIGKILL', async () => {
  const { group, output } = await startTalkingGroup()
  process.kill(-group, 'SIGSTOP')
  const printed = text(output)
  await endGroup(group)
  expect(await membersOf(group)).toEqual([])
  // SIGKILL takes a leader's last words.
  expect(await printed).toBe('the leader continues\n')
})
