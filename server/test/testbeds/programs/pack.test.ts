/** This machine's shell stands for all programs: it is dynamically linked, and there on every machine. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processesHere } from '../../../src/testbeds/machine/process.ts'
import { loaderOf, packPrograms, type ProgramsMachine } from '../../../src/testbeds/programs/pack.ts'

function machineWith(findProgram: ProgramsMachine['findProgram']): ProgramsMachine {
  return { ...processesHere({ env: { PATH: '/usr/bin' }, user: null }), toolPath: '/some/bin', findProgram }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'expresslane-pack-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

describe('programs packed for pods', () => {
  test('run with the loader and the libraries beside them', async () => {
    const { archive, sha256 } = await packPrograms(machineWith(async () => '/bin/sh'))
    expect(createHash('sha256').update(archive).digest('hex')).toBe(sha256)
    const to = folder()
    writeFileSync(join(to, 'archive'), archive)
    execFileSync('tar', ['-xzf', 'archive'], { cwd: to })
    expect(readdirSync(join(to, 'bin'))).toEqual(['ip', 'iperf3', 'netperf', 'netserver', 'tcpdump'])
    const script = readFileSync(join(to, 'bin', 'netperf'), 'utf8')
    expect(script).toMatch(
      /^#!\/bin\/sh\nexec (\/tools\/lib0\/\S+) --library-path \/tools\/lib0 \/tools\/programs\/netperf "\$@"\n$/,
    )
    // As the script does in a pod, where the folder is /tools.
    writeFileSync(join(to, 'here'), script.replaceAll('/tools', to))
    const said = execFileSync('sh', [join(to, 'here'), '-c', 'echo "$0 $1"', 'one', 'two words'], { encoding: 'utf8' })
    expect(said).toBe('one two words\n')
  })

  test('make the same archive again', async () => {
    const machine = machineWith(async () => '/bin/sh')
    expect((await packPrograms(machine)).sha256).toBe((await packPrograms(machine)).sha256)
  })

  test('are missed by their names', async () => {
    const without = machineWith(async (name) => (name === 'iperf3' ? null : '/bin/sh'))
    await expect(packPrograms(without)).rejects.toMatchObject({
      code: 'tool_missing',
      message: expect.stringContaining('iperf3 is not in /some/bin'),
      remedy: expect.stringContaining('EXPRESSLANE_NETPERF_IMAGE'),
    })
  })

  test('are no scripts, whose own programs a pod lacks', async () => {
    const script = join(folder(), 'netperf')
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
    await expect(packPrograms(machineWith(async () => script))).rejects.toMatchObject({ code: 'tool_missing' })
    expect(loaderOf(readFileSync(script))).toBeNull()
  })
})
