/** The translators that this user can have on this kernel. */
import { spawnSync } from 'node:child_process'
import type { Translator } from '@expresslane/shared/features/nat64/translators'
import { readRights, primitivesOf } from '../../../src/testbeds/machine/rights.ts'

export const hasTayga = spawnSync('tayga', ['--help']).error === undefined

export function translatorsHere(): Translator[] {
  const { bpf, tun } = primitivesOf(readRights(), [0])
  return [
    'native',
    ...(tun === null && hasTayga ? (['tayga'] as const) : []),
    ...(bpf === null ? (['bpf-stateless', 'bpf-stateful'] as const) : []),
  ]
}

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user, who has no BPF. */
export function becomeOrdinaryUser(): void {
  if (process.getuid?.() !== 0) return
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}
