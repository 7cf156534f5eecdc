/** Deploys the pods of a topology with their background processes, and removes them. */
import type { Placement, Pod, Role, RoleCpus } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { epochMs } from '@expresslane/shared/base/units'
import type { Machine } from '../machine/machine.ts'
import { mtusFor, rolesOf, type Hosts } from '../topology.ts'
import { typedLine } from '../typed.ts'
import { requireRoles, type Workload } from '../workload.ts'
import { stopBackground, type Built } from './builds.ts'
import { isNetserverListening, netserverArgv, startBackground, type Background } from './commands/background.ts'
import { cpusFor, onCpu } from './commands/cpus.ts'
import { findPlace, inNamespace, removedError } from './commands/places.ts'
import type { Lifetime } from './lifetime.ts'
import * as network from './network/network.ts'
import { sizesUnknown } from './network/taken.ts'
import { cpusOf, mtuOf } from './network/values.ts'
import { readPath } from './state.ts'

/** Deadline for removing the pods that a failed deploy left. */
const CLEANUP_MS = 10_000

/** Ends the pods and everything that runs in them, also pods of a deploy that failed. */
export async function removePods(present: Built, site: network.Site): Promise<void> {
  const { pods } = present
  present.pods = null
  pods?.removed.abort(removedError())
  await stopBackground(pods)
  if (!present.mayHavePods) return
  await network.removePods(site)
  present.mayHavePods = false
}

async function startNetserver(role: Role, placed: RoleCpus, site: network.Site, machine: Machine): Promise<Background> {
  const { namespace: where } = findPlace({ kind: 'role', role }, site.topology)
  const argv = onCpu(placed[role], netserverArgv)
  const typed = typedLine(inNamespace(where, argv))
  const command = { where, program: 'netserver', argv, typed, isReady: isNetserverListening }
  return startBackground(command, { ...site, entrance: site.entrance.inside(where) }, machine)
}

/** Connects from the first host to a pod on the next, over a network that nobody here has made: a refusal is an answer. */
async function requireReach(pods: readonly Pod[], { names, of }: Hosts, site: network.Site): Promise<void> {
  const isNear = ({ name }: Pod): boolean => of(name) === names[0]
  const [from, to] = [pods.findLast(isNear), pods.find((pod) => !isNear(pod))]
  const address = to?.addresses.ipv4 ?? null
  if (from === undefined || address === null) return
  // The port is that of the discard service, which nothing here provides.
  const argv = ['iperf3', '-c', address, '-p', '9', '--connect-timeout', '5000']
  const typed = typedLine(inNamespace(from.name, argv))
  try {
    await site.console.run({ where: from.name, argv, typed }, site.context, site.entrance.inside(from.name))
  } catch (cause) {
    site.context.signal.throwIfAborted()
    if (cause instanceof LabError && cause.detail?.includes('Connection refused') === true) return
    throw new LabError(
      'testbed_unavailable',
      `The network cards of ${names.join(' and ')} do not reach each other.`,
      'Both must be on one Ethernet network, which allows each card a second MAC address; most clouds do not. Name other cards: --ssh HOST=CARD.',
      { cause },
    )
  }
}

/**
 * Replaces the pods. When it fails, nothing of the new pods is left.
 *
 * @throws LabError `bad_request` for a role without a place, `tool_too_old`, `tool_missing`, `tool_failed`
 */
export async function deployPods(
  workload: Workload,
  present: Built,
  site: network.Site,
  { machine, siteOf }: { readonly machine: Machine; readonly siteOf: Lifetime['siteOf'] },
): Promise<Placement> {
  const { topology } = site
  const roles = rolesOf(topology)
  requireRoles(workload, roles)
  await removePods(present, site)
  const sizes = network.sizesFor(present.values, await readPath(present, site))
  if (sizes === null) throw sizesUnknown()
  present.mayHavePods = true
  try {
    await network.makePods(site, sizes, mtusFor(mtuOf(present.values), site.release))
    const pods = topology.pods.map(({ pod }) => pod)
    const cpus = cpusFor(cpusOf(present.values), roles, machine.cpus)
    const { netserver } = topology
    const background = netserver === null ? [] : [await startNetserver(netserver, cpus, site, machine)]
    const placement: Placement = { madeAt: epochMs.parse(machine.now()), variant: 'other-node', pods, cpus }
    if (topology.hosts !== undefined) await requireReach(pods, topology.hosts, site)
    present.pods = { placement, background, removed: new AbortController() }
    return placement
  } catch (error) {
    const cleanup = { emit: site.context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
    // The first error is the one to report; the next deploy removes the rest.
    await removePods(present, siteOf(present, cleanup)).catch(() => {})
    throw error
  }
}
