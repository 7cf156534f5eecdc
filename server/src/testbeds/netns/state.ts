/** Reads the state of the built path, and sets the values of its primitives. */
import type { Values } from '@expresslane/shared/testbed/primitive'
import type { DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import { epochMs } from '@expresslane/shared/base/units'
import type { Machine } from '../machine/machine.ts'
import { hasNodes } from '../topology.ts'
import type { Built } from './builds.ts'
import { requireCpus } from './commands/cpus.ts'
import { readRelease } from './facts.ts'
import * as network from './network/network.ts'
import { checkTaken, sizesUnknown } from './network/taken.ts'
import { cpusOf, growthOf, kernelOf, nodesMtu, valuesAfter } from './network/values.ts'

/** Without nodes of its own, a path without pods has no device. */
export async function readPath({ mayHavePods }: Built, site: network.Site): Promise<Reading[]> {
  return !hasNodes(site.topology) && !mayHavePods ? [] : network.readPath(site)
}

/** The kernel's own word for its release. The default stands for itself only where nobody asked for it by its name. */
async function readKernel({ values }: Built, site: network.Site, { kernels }: Machine): Promise<Values> {
  if (kernels === null) return {}
  const release = await readRelease(site.console, site)
  return { kernels: release === kernels.releases[0] && kernelOf(values) === null ? null : release }
}

export async function readState(present: Built, site: network.Site, machine: Machine): Promise<DatapathState> {
  const { values, pods } = present
  return {
    at: epochMs.parse(machine.now()),
    settings: { ...values },
    agents: null,
    kernel: await readPath(present, site),
    unread: [],
    carried: await readKernel(present, site, machine),
    hooks: [],
    placement: pods?.placement ?? null,
  }
}

/**
 * Changes the values and reads them back.
 *
 * @throws LabError `bad_request`, `tool_too_old` where sizes can't be read, `datapath_not_taken`
 */
export async function setState(
  change: Values,
  present: Built,
  site: network.Site,
  machine: Machine,
): Promise<DatapathState> {
  const before = await readPath(present, site)
  const values = valuesAfter(present.values, change, before)
  requireCpus(cpusOf(values), machine.primitives.cpus)
  const sizes = network.sizesFor(values, before)
  if (sizes === null || (growthOf(values, 'ipv4') !== null && sizes.ipv4 === null)) throw sizesUnknown()
  present.values = values
  const mtu = nodesMtu(values, site)
  await network.setNodes(site, sizes, mtu, before)
  const state = await readState(present, site, machine)
  checkTaken(state.kernel, sizes, mtu)
  return state
}
