/** A terminal in the counted machine, where its person is root: the machine is the wall. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair } from '../../support/runs/pair.ts'
import { terminalAt } from '../typed-shell.ts'
import { lacksMachine, machineHere, runOn } from './here.ts'

describe.skipIf(lacksMachine !== null)('a terminal in the counted machine', () => {
  const machine = machineHere()
  const testbed = netnsTestbed({ machine })
  beforeAll(() => testbed.deploy(pair, 'other-node', note()))
  afterAll(() => testbed.close())

  test('is a terminal at its place, and follows the size of the page', async () => {
    const shell = await terminalAt('pod1', testbed)
    expect(await shell.run('[ -t 0 ] && ip -br address show dev eth0')).toContain('10.31.1.2')
    // Bash asks for the size after each program.
    expect(await shell.run('shopt -s checkwinsize; true | cat; echo $LINES $COLUMNS')).toMatch(/^24 200/m)
    shell.resize({ rows: 40, columns: 120 })
    expect(await shell.run('true | cat; echo $LINES $COLUMNS')).toMatch(/^40 120/m)
  })

  test('ends with its jobs in the background', async () => {
    const shell = await terminalAt('node1', testbed)
    await shell.run('trap "" HUP; sleep 86394 & disown')
    expect(await runOn(machine, ['pgrep', '-f', 'sleep 86394'])).toMatchObject({ code: 0 })
    await shell.end()
    expect(await runOn(machine, ['pgrep', '-f', 'sleep 86394'])).toMatchObject({ code: 1 })
  })

  test('ends with its fork bomb, beside which the testbed is read', async () => {
    const before = (await testbed.read(note())).kernel.length
    const shell = await terminalAt('node1', testbed)
    await shell.run('echo ready')
    void shell.write(Buffer.from(':(){ sleep 86393 & : | : & };:\n'))
    await expect.poll(shell.output).toContain('Resource temporarily unavailable')
    expect((await testbed.read(note())).kernel).toHaveLength(before)
    await shell.end()
    expect(await runOn(machine, ['pgrep', '-f', 'sleep 86393'])).toMatchObject({ code: 1 })
  })

  test('that crashes the kernel ends the machine alone, and its person gets a new machine', async () => {
    const neighbour = netnsTestbed({ machine: machineHere() })
    try {
      const other = await terminalAt('node1', neighbour)
      await other.run('mine=untouched')
      const shell = await terminalAt('node1', testbed)
      void shell.write(Buffer.from('echo c >/proc/sysrq-trigger\n'))
      expect(await shell.closed).toMatchObject({ why: 'The counted machine ended while it was in use.' })
      expect(await other.run('echo $mine')).toMatch(/^untouched/m)
      await testbed.deploy(pair, 'other-node', note())
      const again = await terminalAt('pod2', testbed)
      expect(await again.run('ip -br address show dev eth0')).toContain('10.31.2.2')
    } finally {
      await neighbour.close()
    }
  })
})
