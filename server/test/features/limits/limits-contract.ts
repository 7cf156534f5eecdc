/** Each limiter and each long path in a real kernel: read back, and measured with the lab's own tools. */
import { proof } from '@expresslane/shared/features/limits/proof'
import { roles } from '@expresslane/shared/features/limits/roles'
import {
  CONGESTION_CONTROL,
  GSO_SIZE,
  IDLE_SLOW_START,
  LONG_PATH,
  POD_LIMIT,
  POD_LIMITER,
  type Limiter,
} from '@expresslane/shared/features/limits/settings'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement } from '@expresslane/shared/measure/measurement'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import type { Settings } from '@expresslane/shared/base/settings'
import { epochMs } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../../src/features/limits/feature.ts'
import { limited } from '../../../src/features/limits/topology.ts'
import { watchLimits } from '../../../src/features/limits/watch.ts'
import { podsOn } from '../../../src/features/pods.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { note } from '../../contract/contract-kit.ts'

const usual: Settings = {
  [POD_LIMITER]: 'none',
  [POD_LIMIT]: 20,
  [GSO_SIZE]: 65_536,
  [LONG_PATH]: 'none',
  [CONGESTION_CONTROL]: 'cubic',
  [IDLE_SLOW_START]: true,
}

/**
 * @param limiters the ways that this user and this kernel have
 * @param isLong whether they have long paths
 * @param machine where; none for this machine
 */
export function limitsContract(limiters: readonly Limiter[], isLong: boolean, machine?: Machine): void {
  const testbed = netnsTestbed({ topology: limited, ...(machine === undefined ? {} : { machine }) })
  afterAll(() => testbed.close())

  /** Deploys, checks what is read back, and measures once. @returns the values as the tool printed them */
  async function measured(settings: Settings, benchmark: Benchmark): Promise<MetricValues> {
    await testbed.set(settings, note())
    const placement = await testbed.deploy({ roles }, 'other-node', note())
    const datapath = await testbed.read(note())
    expect(datapath.carried).toMatchObject(settings)
    const fingerprint = fingerprintOf(await testbed.facts(note()), datapath)
    const context = { ...note(), testbed, now: () => epochMs.parse(Date.now()) }
    const run = Object.entries(limits.runners).find(([tool]) => tool === benchmark.tool)?.[1]
    if (run === undefined) throw new Error(`no runner for ${benchmark.tool}`)
    const read = await watchLimits(podsOn(testbed, placement, note()))
    const invocation = { arm: 'arm', caseId: null, family: 'ipv4', benchmark, placement, repeat: 1 } as const
    const address = podOf(placement, 'server')?.addresses.ipv4 ?? ''
    const more = { address, warmup: false, seconds: 3, previous: null, fingerprint, before: null }
    const { startedAt, elapsedSeconds, values: printed } = await run({ ...invocation, ...more }, context)
    const values = { ...printed, ...(await read()) }
    const stored = storedValues(values, fingerprint.instructionsPerMicrosecond)
    const taken = measurement.parse({
      arm: 'arm',
      caseId: null,
      family: 'ipv4',
      benchmark,
      repeat: 1,
      warmup: false,
      startedAt,
      elapsedSeconds,
      fingerprint,
      values: stored,
    })
    const seen = proof({ settings, benchmark, family: 'ipv4', measurements: [taken], datapath })
    expect(seen.filter(({ ok }) => !ok)).toEqual([])
    return values
  }

  const stream = { tool: 'stream-and-pings' }

  test.each(limiters)('%s is read back, and its counters prove it', async (by) => {
    // Not the usual 20 Mbit/s, so that a limiter must take its rate from the setting.
    await measured({ ...usual, [POD_LIMITER]: by, ...(by === 'none' ? {} : { [POD_LIMIT]: 100 }) }, stream)
  })

  // All kernels do the same with the sizes between.
  const sizes = machine === undefined ? [16_384, 32_768, 196_608] : [16_384, 196_608]
  test.each(sizes)('packets up to %i bytes are read back, with 20 Mbit/s', async (size) => {
    await measured({ ...usual, [POD_LIMITER]: 'tbf', [GSO_SIZE]: size }, stream)
  })

  describe.runIf(isLong)('a long path', () => {
    test.each([
      ['narrow', 'cubic'],
      ['narrow-0.1', 'cubic'],
      ['narrow-1', 'bbr'],
    ])('%s has its delay, its rate and its losses, and %s', async (path, by) => {
      await measured({ ...usual, [LONG_PATH]: path, [CONGESTION_CONTROL]: by }, stream)
    })

    test.each([true, false])('slow start after idle %s is read back, and a response takes a round trip', async (is) => {
      const benchmark = { tool: 'after-pause', pauseSeconds: 10 }
      const values = await measured({ ...usual, [LONG_PATH]: 'long', [IDLE_SLOW_START]: is }, benchmark)
      expect(values['pausedResponse']).toBeGreaterThan(40)
    })
  })
}
