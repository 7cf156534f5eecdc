/** A Cilium agent's report of its gateway between IPv4 and IPv6: whether it is on, its nodes, and its services. */
import { z } from 'zod'
import { readOutput } from './read-output.ts'

/** Before 1.15 the program is called `cilium`. */
const RUN = `
program=cilium-dbg
command -v "$program" >/dev/null 2>&1 || program=cilium
exec "$program" "$@"
`

const inJson = (...words: readonly string[]): readonly string[] => ['sh', '-c', RUN, 'cilium', ...words, '-o', 'json']

export const agentStatusArgv = inJson('status')
export const agentNodesArgv = inJson('node', 'list')
export const agentServicesArgv = inJson('service', 'list')

/** The word for a gateway that is off. */
export const GATEWAY_OFF = 'Disabled'

const status = z.object({
  'kube-proxy-replacement': z
    .object({
      features: z
        .object({
          nat46X64: z
            .object({
              gateway: z
                .object({ enabled: z.boolean().default(false), prefixes: z.array(z.string()).nullish() })
                .optional(),
            })
            .optional(),
        })
        .nullish(),
    })
    .optional(),
})

/** The gateway's prefix, `Enabled` if that is all that is known, or `Disabled`; null if this release does not report it. */
export function gatewayIn(json: unknown): string | null {
  const nat46x64 = status.safeParse(json).data?.['kube-proxy-replacement']?.features?.nat46X64
  if (nat46x64 === undefined) return null
  const { enabled = false, prefixes } = nat46x64.gateway ?? {}
  if (!enabled) return GATEWAY_OFF
  return prefixes === undefined || prefixes === null || prefixes.length === 0 ? 'Enabled' : prefixes.join(', ')
}

/** A node as an agent knows it. */
export interface AgentNode {
  readonly name: string
  readonly ipv4: string | null
  readonly ipv6: string | null
}

const address = z.object({ ip: z.string().default('') }).nullish()
const nodes = z.array(
  z.object({ name: z.string(), 'primary-address': z.object({ ipv4: address, ipv6: address }).nullish() }),
)

function readAgent<T>(what: string, text: string, schema: z.ZodType<T>): T {
  const remedy = 'Check what `cilium-dbg` prints in the agent; Cilium 1.13 or newer is needed.'
  return readOutput(schema, text, { name: `The agent’s ${what}`, remedy })
}

/** Reads {@link agentStatusArgv}. @throws LabError `tool_output_unreadable` */
export function parseGateway(text: string): string | null {
  return gatewayIn(readAgent('status', text, z.unknown()))
}

/** Reads {@link agentNodesArgv}. @throws LabError `tool_output_unreadable` */
export function parseAgentNodes(text: string): AgentNode[] {
  const known = (one: z.infer<typeof address>): string | null => (one?.ip ?? '') || null
  return readAgent('nodes', text, nodes).map(({ name, 'primary-address': primary }) => ({
    name,
    ipv4: known(primary?.ipv4),
    ipv6: known(primary?.ipv6),
  }))
}

/** Where a service is called, and who answers there. */
export interface Frontend {
  readonly address: string
  readonly port: number
  /** Addresses of the pods. */
  readonly backends: readonly string[]
}

const end = z.object({ ip: z.string().default(''), port: z.number().int().default(0) })
const services = z.array(
  z.object({
    spec: z.object({ 'frontend-address': end, 'backend-addresses': z.array(end).nullish() }),
  }),
)

/** Reads {@link agentServicesArgv}. @throws LabError `tool_output_unreadable` */
export function parseAgentServices(text: string): Frontend[] {
  return (
    readAgent('services', text, services.nullable())?.map(({ spec }) => ({
      address: spec['frontend-address'].ip,
      port: spec['frontend-address'].port,
      backends: (spec['backend-addresses'] ?? []).map(({ ip }) => ip),
    })) ?? []
  )
}
