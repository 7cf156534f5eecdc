/** The places in a node's network stack where a packet to a NodePort can be handled, as read from the kernel. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { hookName, type ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { servicesIn } from '@expresslane/shared/features/nodeport/settings'
import { formatCount } from '@expresslane/shared/base/units'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import { listed } from '../../../words/format.ts'

/**
 * - `handles`: the hook takes the packets
 * - `empty`: the hook has no program or rule
 * - `late`: the hook has a program or rule, but packets are handled before
 * - `unknown`: the hook, or a hook before it, could not be read
 */
export type HookState = 'handles' | 'empty' | 'late' | 'unknown'

export interface HookView {
  readonly id: ForwardingHook
  readonly name: string
  readonly state: HookState
  /** The programs or rules at the hook: `program at eth0 and eth1`, `no rules`. */
  readonly has: string
  /** The packets that the hook has counted; null for nothing to show. */
  readonly counted: string | null
}

export interface StageView {
  readonly id: 'xdp' | 'tc' | 'netfilter' | 'routing'
  readonly name: string
  readonly place: string
  readonly hooks: readonly HookView[]
  /** Whether packets to a NodePort get here; null if unknown. */
  readonly reached: boolean | null
}

export interface StackView {
  /** In the order in which a packet passes them. */
  readonly stages: readonly StageView[]
  /** The hook that handles the packets; null if none does, or if it is unknown. */
  readonly handler: ForwardingHook | null
  /** The way of a packet and of its reply, in sentences. */
  readonly request: string
  /** Null while no hook is known to handle packets. */
  readonly reply: string | null
}

/** Its texts are marked. */
interface Stage extends Pick<StageView, 'id' | 'name' | 'place'> {
  readonly hooks: readonly ForwardingHook[]
}

const stack: readonly Stage[] = [
  { id: 'xdp', name: 'XDP', place: /*i18n*/ 'in the driver, before the kernel makes an skb', hooks: ['xdp'] },
  { id: 'tc', name: 'TC', place: /*i18n*/ 'with the new skb, before the IP layer', hooks: ['tc'] },
  {
    id: 'netfilter',
    name: 'netfilter',
    place: /*i18n*/ 'in the IP layer, before routing',
    hooks: ['nftables', 'iptables', 'ipvs'],
  },
  { id: 'routing', name: /*i18n*/ 'Routing', place: /*i18n*/ 'chooses the next device', hooks: [] },
]
const order: readonly ForwardingHook[] = stack.flatMap(({ hooks }) => hooks)
const stageOf = (hook: ForwardingHook): number => stack.findIndex(({ hooks }) => hooks.includes(hook))

const isProgram = (hook: ForwardingHook): boolean => hook === 'xdp' || hook === 'tc'

/** The first hook that has something, if everything before it was read. */
function handlerOf(read: ReadonlyMap<string, HookReading>): ForwardingHook | null {
  for (const hook of order) {
    const reading = read.get(hook)
    if (reading === undefined) return null
    if (reading.present) return hook
  }
  return null
}

function hasWords(hook: ForwardingHook, reading: HookReading | undefined, services: number): string {
  if (reading === undefined) return i18n.t('unknown')
  if (!reading.present) return isProgram(hook) ? i18n.t('no program') : i18n.t('no rules')
  if (isProgram(hook)) return i18n.t('program at {devices}', { devices: listed(reading.devices) })
  return hook === 'ipvs'
    ? i18n.t('addresses of {services, plural, one {# service} other {# services}}', { services })
    : i18n.t('rules of {services, plural, one {# service} other {# services}}', { services })
}

function countedWords(reading: HookReading | undefined): string | null {
  const { newFlows, forwarded, replies } = reading?.counts ?? {}
  if (newFlows === undefined) return null
  if (forwarded === undefined || replies === undefined) {
    return i18n.t('counted {flows, plural, one {# flow} other {# flows}}', { flows: newFlows })
  }
  return i18n.t('counted {flows, plural, one {# flow} other {# flows}}: {forwarded} packets there, {replies} back', {
    flows: newFlows,
    forwarded: formatCount(forwarded),
    replies: formatCount(replies),
  })
}

function stateOf(hook: ForwardingHook, reading: HookReading | undefined, handler: ForwardingHook | null): HookState {
  if (reading === undefined) return 'unknown'
  if (!reading.present) return 'empty'
  if (hook === handler) return 'handles'
  return handler === null ? 'unknown' : 'late'
}

function requestWords(handler: ForwardingHook | null, isRead: boolean, client: string | undefined): string {
  if (!isRead) return i18n.t('Which hook handles the packets is unknown: the node’s hooks could not be read.')
  if (handler === null) return i18n.t('No hook has a program or a rule, so nothing forwards.')
  const name = hookName[handler]
  if (isProgram(handler)) {
    return client === undefined
      ? i18n.t('The {name} program handles the packets. They skip the rest of the stack.', { name })
      : i18n.t('The {name} program at {client} handles the packets. They skip the rest of the stack.', { name, client })
  }
  const arrival =
    client === undefined ? i18n.t('Packets come in.') : i18n.t('Packets come in at {device}.', { device: client })
  const handling =
    handler === 'ipvs'
      ? i18n.t('{name} looks up the service of the first of each flow, and the connection of the others.', { name })
      : i18n.t('The rules of {name} handle the first of each flow, and connection tracking knows the others.', { name })
  return `${arrival} ${handling}`
}

function replyWords(handler: ForwardingHook, reading: HookReading | undefined, backend: string | undefined): string {
  const name = hookName[handler]
  const isThere = backend !== undefined && reading?.devices.includes(backend) === true
  if (isProgram(handler) && !isThere) {
    return backend === undefined
      ? i18n.t('Replies come in at the other device, which has no {name} program: they are not handled there.', {
          name,
        })
      : i18n.t('Replies come in at {backend}, which has no {name} program: they are not handled there.', {
          backend,
          name,
        })
  }
  const arrival =
    backend === undefined
      ? i18n.t('Replies come in at the other device.')
      : i18n.t('Replies come in at {device}.', { device: backend })
  const handling =
    handler === 'ipvs'
      ? i18n.t('{name} and connection tracking change their addresses back.', { name })
      : isProgram(handler)
        ? i18n.t('The {name} program there changes their addresses back.', { name })
        : i18n.t('Connection tracking changes their addresses back: they pass no rule.')
  return `${arrival} ${handling}`
}

/** The stack of one node. @param devices its devices, from the client's side to the backend's */
export function stackOf({ hooks, carried }: DatapathState, node: string, devices: readonly string[]): StackView {
  const read = new Map(hooks.filter(({ where }) => where === node).map((one) => [one.hook, one]))
  const handler = handlerOf(read)
  const isRead = handler !== null || order.every((hook) => read.has(hook))
  const last = handler === null || !isProgram(handler) ? stack.length : stageOf(handler)
  const view = (hook: ForwardingHook): HookView => {
    const reading = read.get(hook)
    return {
      id: hook,
      name: hookName[hook],
      state: stateOf(hook, reading, handler),
      has: hasWords(hook, reading, servicesIn(carried)),
      counted: countedWords(reading),
    }
  }
  return {
    stages: stack.map((stage, index) => ({
      ...stage,
      name: i18n.t(stage.name),
      place: i18n.t(stage.place),
      hooks: stage.hooks.map(view),
      reached: isRead ? index <= last : null,
    })),
    handler,
    request: requestWords(handler, isRead, devices[0]),
    reply: handler === null ? null : replyWords(handler, read.get(handler), devices.at(-1)),
  }
}
