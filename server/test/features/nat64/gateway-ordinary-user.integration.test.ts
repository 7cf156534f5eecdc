import { spawnSync } from 'node:child_process'
import { readRights, refusalsOf } from '../../../src/testbeds/netns/this-machine/rights.ts'
import { gatewayContract } from './gateway-contract.ts'

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user, who has no BPF. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

const { tun } = refusalsOf(readRights(), [0])
const hasTayga = spawnSync('tayga', ['--help']).error === undefined

gatewayContract(['native', ...(tun === null && hasTayga ? (['tayga'] as const) : [])])
