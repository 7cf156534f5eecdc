/** A node with a hook in the real kernel, and the feature's runners on it. */
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import type { ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { epochMs, type Family } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { onTestFinished } from 'vitest'
import type { Measured } from '../../../src/benchmarks/invocation.ts'
import { podsOn } from '../../../src/features/pods.ts'
import type { Pods } from '../../../src/features/feature.ts'
import { nodeport } from '../../../src/features/nodeport/feature.ts'
import { readRights, primitivesOf } from '../../../src/testbeds/machine/rights.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { forwarder } from '../../../src/features/nodeport/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note, type Noted } from '../../contract/contract-kit.ts'

/** The hooks that this user can have on this machine's kernel. */
export const hooksHere: readonly ForwardingHook[] = [
  'nftables',
  'iptables',
  ...(process.getuid?.() === 0 ? (['xdp', 'tc'] as const) : []),
  ...(primitivesOf(readRights(), [0]).ipvs === null ? (['ipvs'] as const) : []),
]

export const workload = { roles: ['client', 'forwarder', 'backend'] }

export type Open = () => Testbed | Promise<Testbed>

const openHere: Open = () => netnsTestbed({ topology: forwarder })

export async function deployed(
  settings: Record<string, string | number>,
  open: Open = openHere,
): Promise<{ testbed: Testbed; pods: Pods }> {
  const testbed = await open()
  onTestFinished(() => testbed.close())
  await testbed.set(settings, note())
  const placement = await testbed.deploy(workload, 'other-node', note())
  return { testbed, pods: podsOn(testbed, placement, note()) }
}

export function nodeAddress({ placement }: Pods, of: Family): string {
  return podOf(placement, 'forwarder')?.addresses[of] ?? ''
}

/** The result of a tool's run, and the run's events. */
export interface Ran extends Noted {
  readonly measured: Measured
  readonly pods: Pods
}

/** Deploys an arm of these settings, and runs one of the feature's tools once. */
export async function measureOnce(
  settings: { readonly [NODEPORT_HOOK]: string; readonly [NODEPORT_SERVICES]?: number },
  benchmark: Benchmark,
  seconds: number,
  { family = 'ipv4', open = openHere }: { readonly family?: Family; readonly open?: Open } = {},
): Promise<Ran> {
  const whole = { [NODEPORT_SERVICES]: 1, ...settings }
  const { testbed, pods } = await deployed(whole, open)
  const noted = note()
  const state = await testbed.read(noted)
  const invocation = {
    arm: settings[NODEPORT_HOOK],
    caseId: null,
    family,
    benchmark,
    address: nodeAddress(pods, family),
    placement: pods.placement,
    repeat: 1,
    warmup: false,
    seconds,
    previous: null,
    fingerprint: fingerprintOf(await testbed.facts(noted), state),
    before: null,
  }
  const runner = Object.entries(nodeport.runners).find(([tool]) => tool === benchmark.tool)?.[1]
  if (runner === undefined) throw new Error(`no runner for ${benchmark.tool}`)
  const measured = await runner(invocation, { ...noted, testbed, now: () => epochMs.parse(Date.now()) })
  return { ...noted, measured, pods }
}
