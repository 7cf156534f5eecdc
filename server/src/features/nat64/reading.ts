/** The gateway's translator and counters, from its kernel. */
import { END_DEVICE, server, TRANSLATOR_DEVICE } from '@expresslane/shared/features/nat64/places'
import { GATEWAY } from '@expresslane/shared/features/nat64/roles'
import type { Translator } from '@expresslane/shared/features/nat64/translators'
import { family as families } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import { linkShowArgv, parseLinks } from '../../tools/ip-link.ts'
import { countersArgv } from '../../tools/nodeport/argv.ts'
import { parsePath, pathArgv, type NodePath } from '../../tools/nodeport/route.ts'
import { parseTranslateCounters, type TranslateCounters } from '../../tools/nodeport/translate.ts'
import type { Pods } from '../feature.ts'
import { lookWithRights } from '../look.ts'

type Looked = Pick<Pods, 'look'>

/** The gateway at one moment. */
export interface GatewayRead {
  readonly path: NodePath
  /** The BPF program's counters; null where no program is held. */
  readonly program: TranslateCounters['counts'] | null
  /** Packets that came back through tayga's device; null without the device. */
  readonly tayga: number | null
  /** Whether the gateway has a route to the server in its own family, both families. */
  readonly native: boolean
}

/** Null for a command that fails because its subject is not there. */
async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof LabError && error.code === 'tool_failed') return null
    throw error
  }
}

async function readProgram(pods: Looked): Promise<GatewayRead['program']> {
  const line = await ifThere(lookWithRights(GATEWAY, countersArgv('translate'), pods))
  return line === null ? null : parseTranslateCounters(line.trim()).counts
}

async function readTayga({ look }: Looked): Promise<number | null> {
  const shown = await ifThere(look(GATEWAY, linkShowArgv(TRANSLATOR_DEVICE)))
  return shown === null ? null : (parseLinks(shown)[0]?.counters?.rxPackets ?? null)
}

async function isNative({ look }: Looked): Promise<boolean> {
  const routes = await Promise.all(
    families.options.map((of) =>
      look(GATEWAY, ['ip', of === 'ipv4' ? '-4' : '-6', '-j', 'route', 'show', server.standIn[of]]),
    ),
  )
  return routes.every((shown) => shown.includes('"dst"'))
}

/** @throws LabError of the tools; `signal.reason` */
export async function readGateway(pods: Looked): Promise<GatewayRead> {
  const path = parsePath((await lookWithRights(GATEWAY, pathArgv(TRANSLATOR_DEVICE, END_DEVICE), pods)).trim())
  const kind = path.device?.kind ?? null
  const [program, tayga, native] = await Promise.all([
    kind === 'veth' ? readProgram(pods) : null,
    kind === 'tun' ? readTayga(pods) : null,
    kind === null ? isNative(pods) : false,
  ])
  return { path, program, tayga, native }
}

/**
 * The translator that is there. Setting it ends after answers in both families, so a stateful translator has sessions.
 */
export function translatorRead({ program, tayga, native }: GatewayRead): Translator {
  if (native) return 'native'
  if (tayga !== null) return 'tayga'
  if (program === null) return 'none'
  return program.newSessions > 0 ? 'bpf-stateful' : 'bpf-stateless'
}
