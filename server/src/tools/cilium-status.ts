/** `cilium-dbg status -o json`: the status of a Cilium agent. */
import { bytes, type Bytes, type Family } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readOutput, type Described } from './read-output.ts'

/** swag's JSON leaves out values that are false, zero or empty. */
const bigTcp = z.object({ enabled: z.boolean().default(false), maxGSO: bytes.optional(), maxGRO: bytes.optional() })
const devices = z.object({ devices: z.array(z.string()).nullish() })
const component = z.object({ state: z.string(), msg: z.string().default('') })
const controller = z.object({
  name: z.string().default(''),
  status: z
    .object({ 'consecutive-failure-count': z.number().default(0), 'last-failure-msg': z.string().default('') })
    .optional(),
})

const nodePort = z.object({
  enabled: z.boolean().default(false),
  acceleration: z.string().optional(),
  mode: z.string().optional(),
})

/** The used fields of `StatusResponse` (api/v1/openapi.yaml of Cilium). */
const printedStatus = z.looseObject({
  cilium: component,
  controllers: z.array(controller).default([]),
  'ipv4-big-tcp': bigTcp.optional(),
  'ipv6-big-tcp': bigTcp.optional(),
  'kube-proxy-replacement': devices
    .extend({
      deviceList: z.array(z.object({ name: z.string() })).nullish(),
      features: z.object({ nodePort: nodePort.optional() }).optional(),
    })
    .optional(),
  'host-firewall': devices.optional(),
  'bandwidth-manager': devices.optional(),
})
const anyObject = z.record(z.string(), z.unknown())
type Printed = z.infer<typeof printedStatus>

/** Null: this version of Cilium does not report it. */
export interface CiliumStatus {
  /** `1.15.19`. */
  readonly version: string | null
  /** `Ok`, `Warning`, `Failure`. */
  readonly state: string
  /** All problems in the agent's words, its summary first. */
  readonly troubles: readonly string[]
  /** The agent's actual settings, which can differ from the requested settings. */
  readonly setting: Readonly<Record<Family, boolean | null>>
  readonly maxGso: Readonly<Record<Family, Bytes | null>>
  /** Whether XDP forwards NodePorts, in Cilium's words: `Native`, `Disabled`; null if it does not forward them. */
  readonly acceleration: string | null
  /** The way of replies, in Cilium's words: `SNAT`, `DSR`, `Hybrid`; null if it does not forward NodePorts. */
  readonly mode: string | null
  /** The devices that Cilium attaches to: they get BIG TCP's sizes. */
  readonly devices: readonly string[] | null
  /** The whole output. */
  readonly json: Readonly<Record<string, unknown>>
}

/** Restarts of other nodes make these fail for a while, so they say nothing about this agent. */
const ABOUT_OTHERS = /health/

function troublesOf({ cilium, controllers, ...rest }: Printed): string[] {
  const summary = cilium.state === 'Ok' ? [] : [`cilium: ${cilium.state} ${cilium.msg}`.trim()]
  const components = Object.entries(rest).flatMap(([name, value]) => {
    const { data } = component.safeParse(value)
    if (data === undefined || data.state === 'Ok' || data.state === 'Disabled') return []
    return [`${name}: ${data.state} ${data.msg}`.trim()]
  })
  const failing = controllers.flatMap(({ name, status }) =>
    (status?.['consecutive-failure-count'] ?? 0) === 0 || ABOUT_OTHERS.test(name)
      ? []
      : [`controller ${name}: ${status?.['last-failure-msg'] ?? ''}`],
  )
  return [...summary, ...components, ...failing]
}

/** Several parts can list the native devices; kube-proxy replacement, which BIG TCP requires, comes first. */
function devicesOf(printed: Printed): string[] | null {
  const replacement = printed['kube-proxy-replacement']
  const listed = [
    replacement?.devices,
    replacement?.deviceList?.map(({ name }) => name),
    printed['host-firewall']?.devices,
    printed['bandwidth-manager']?.devices,
  ]
  return listed.find((names) => names !== null && names !== undefined && names.length > 0) ?? null
}

/** The forwarding of NodePorts; undefined if it is off. */
function nodePortsOf(printed: Printed): z.infer<typeof nodePort> | undefined {
  const services = printed['kube-proxy-replacement']?.features?.nodePort
  return services?.enabled === true ? services : undefined
}

const output: Described = {
  name: 'The agent’s status',
  remedy: 'Check what `cilium-dbg status -o json` prints in the agent; Cilium 1.13 or newer is needed.',
}

/**
 * Reads the output of `cilium-dbg status -o json`; its text output shows IPv4's value for IPv6
 * (cilium/cilium#45513).
 *
 * @throws LabError `tool_output_unreadable` when it is truncated or not a status
 */
export function parseCiliumStatus(text: string): CiliumStatus {
  const json = readOutput(anyObject, text, output)
  const printed = readOutput(printedStatus, text, output)
  const [ipv4, ipv6] = [printed['ipv4-big-tcp'], printed['ipv6-big-tcp']]
  const nodePorts = nodePortsOf(printed)
  return {
    version: /^v?(\d+\.\d+\S*)/.exec(printed.cilium.msg)?.[1] ?? null,
    state: printed.cilium.state,
    troubles: troublesOf(printed),
    setting: { ipv4: ipv4?.enabled ?? null, ipv6: ipv6?.enabled ?? null },
    maxGso: { ipv4: ipv4?.maxGSO ?? null, ipv6: ipv6?.maxGSO ?? null },
    acceleration: nodePorts?.acceleration ?? null,
    mode: nodePorts?.mode ?? null,
    devices: devicesOf(printed),
    json,
  }
}
