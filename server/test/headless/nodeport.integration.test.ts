import { expect, test } from 'vitest'
import { readRights, primitivesOf } from '../../src/testbeds/netns/this-machine/rights.ts'
import { expectAllPoints, LAB_TIMEOUT, runServicesLab } from './nodeport-lab.ts'

test.runIf(process.getuid?.() === 0)('root measures all hooks that the kernel has', LAB_TIMEOUT, async () => {
  const { ipvs } = primitivesOf(readRights(), [0])
  const { result, err } = await runServicesLab()
  expectAllPoints(result, ['nftables', 'iptables', 'tc', 'xdp', ...(ipvs === null ? (['ipvs'] as const) : [])])
  const left = err.split('\n').filter((line) => line.includes('left out here'))
  expect(left).toEqual(ipvs === null ? [] : [`   left out here: IPVS: ${ipvs}`])
})
