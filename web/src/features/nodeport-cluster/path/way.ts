/** The way of a request from outside through a cluster, and of its reply, as read from nodes and agents. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { BACKEND_POD, ENTRY } from '@expresslane/shared/testbed/exposed'
import { ciliumXdp, type LbMode, lbModeIn } from '@expresslane/shared/features/nodeport-cluster/settings'
import type { Family } from '@expresslane/shared/base/units'
import { podOf, type Pod } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { WayPlace, WayStage, WayView } from '../../way.tsx'

/** Where a node handles packets; `generic` is XDP that runs after the driver. */
type Hook = 'xdp' | 'generic' | 'tc'

interface Read {
  readonly devices: readonly string[]
  /** Null if the devices were not read, or differ. */
  readonly hook: Hook | null
}

const hookOf = { native: 'xdp', generic: 'generic', none: 'tc' } as const

/** @param node all nodes if it is null */
function readNode({ kernel }: DatapathState, node: string | null): Read {
  const natives = kernel.filter((device) => device.native && (node === null || device.node === node))
  const hooks = new Set(natives.map((device) => hookOf[ciliumXdp(device)]))
  const [only = null] = hooks.size === 1 ? hooks : []
  return { devices: [...new Set(natives.map(({ device }) => device))], hook: only }
}

/** The way of replies, as the agents say; null if one of the asked agents says nothing, or they differ. */
function modeOf({ agents }: DatapathState, node: string | null): LbMode | null {
  const asked = (agents ?? []).filter((agent) => node === null || agent.node === node)
  const modes = new Set(asked.map(({ settings }) => lbModeIn(settings ?? {})))
  const [only = null] = modes.size === 1 ? modes : []
  return only
}

function hooksOf({ hook, devices }: Read): WayStage[] {
  const isXdp = hook === null ? null : hook !== 'tc'
  const isTc = isXdp === null ? null : !isXdp
  const view = (
    handles: boolean | null,
    without: string,
  ): Pick<WayStage, 'reached' | 'handles' | 'otherwise' | 'found'> =>
    handles === true
      ? { reached: true, handles, found: i18n.t('Cilium’s program at {devices}', { devices: devices.join(', ') }) }
      : { reached: null, handles, otherwise: handles === null ? i18n.t('unknown') : without, found: null }
  const does =
    hook === 'generic'
      ? i18n.t('after the driver: slower than in it')
      : i18n.t('in the driver, before the kernel makes an skb')
  return [
    { id: 'xdp', name: 'XDP', does, ...view(isXdp, i18n.t('no program')) },
    {
      id: 'tc',
      name: 'TC',
      does: i18n.t('with the new skb, before the IP layer'),
      ...view(isTc, i18n.t('not reached')),
    },
  ]
}

function requestWords(hook: Hook | null): string {
  if (hook === null)
    return i18n.t('Where the called node handles a request is unknown: its devices have not been read.')
  return i18n.t(
    'Cilium’s {hook} program on the called node chooses the backend, and sends the request on to its node.',
    {
      hook: hook === 'tc' ? 'TC' : 'XDP',
    },
  )
}

const replyWords: Readonly<Record<LbMode, string>> = {
  snat: /*i18n*/ 'The reply comes back through the called node, which put its own address in place of the client’s (SNAT).',
  dsr: /*i18n*/ 'The backend’s node answers the client directly (DSR): the called node does not see the reply.',
}
const UNKNOWN_REPLY = /*i18n*/ 'Which way the reply takes is unknown: the agent of the called node has not reported it.'

function addressOf(pod: Pod | null, family: Family): string | null {
  return pod === null ? null : (pod.addresses[family] ?? i18n.t('address unknown'))
}

export function wayOf(datapath: DatapathState, family: Family): WayView {
  const entry = podOf(datapath.placement, ENTRY)
  const backend = podOf(datapath.placement, BACKEND_POD)
  const called = readNode(datapath, entry?.node ?? null)
  const behind = backend === null ? null : readNode(datapath, backend.node).devices
  const places: WayPlace[] = [
    { name: i18n.t('Client'), is: i18n.t('outside of the cluster'), address: null, stages: [] },
    {
      name: entry?.node ?? i18n.t('A node'),
      is: i18n.t('is called'),
      address: addressOf(entry, family),
      stages: hooksOf(called),
    },
    {
      name: backend?.node ?? i18n.t('Another node'),
      is: i18n.t('has the backend'),
      address: behind === null ? null : behind.length === 0 ? i18n.t('devices unknown') : behind.join(', '),
      stages: [],
    },
    {
      name: backend?.name ?? i18n.t('Backend'),
      is: backend === null ? i18n.t('no pod yet') : i18n.t('answers'),
      address: addressOf(backend, family),
      stages: [],
    },
  ]
  const mode = modeOf(datapath, entry?.node ?? null)
  const reply = i18n.t(mode === null ? UNKNOWN_REPLY : replyWords[mode])
  return { places, words: [requestWords(called.hook), reply] }
}
