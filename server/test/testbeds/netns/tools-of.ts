/** A folder of programs as a machine may have them: some missing, some other than ours. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const programs = [
  'bash',
  'sh',
  'sed',
  'cat',
  'tail',
  'tee',
  'mount',
  'unshare',
  'nsenter',
  'setpriv',
  'taskset',
  'ip',
  'netperf',
  'netserver',
  'iperf3',
  'tcpdump',
  'nft',
  'iptables',
  'iptables-restore',
  'ip6tables',
  'ip6tables-restore',
  'xargs',
] as const
export type Program = (typeof programs)[number]

export function realPath(program: Program): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
}

/**
 * @param others a script in place of a program, or null where it is missing
 * @returns an environment whose PATH has no other programs; it is removed with the test
 */
export function toolsOf(others: Partial<Record<Program, string | null>>): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-tools-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  for (const program of programs) {
    const script = others[program]
    const path = join(folder, program)
    if (script === undefined) symlinkSync(realPath(program), path)
    else if (script !== null) writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  return { PATH: folder }
}
