/** The audit log: who did what to which datapath, when, from where. */
import { listAudit, downloadAudit, type AuditEntry } from '@expresslane/shared/wire/board'
import { serve } from '../http/serve.ts'
import { Readable } from 'node:stream'
import { csvCell } from '@expresslane/shared/report/csv'
import { testbedId } from '@expresslane/shared/testbed/id'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addLine, type AuditParts } from '../http/audit-lines.ts'
import { clientAddress } from '../../access/clients.ts'
import { isAudited, ownTestbed } from '../../access/policy.ts'
import { createAuditLimit, MINUTE_MS } from '../../access/audit-limit.ts'
import type { Deps } from '../../deps.ts'
import type { Store } from '../../store/open.ts'
import { letOthers } from '../../workers/turns.ts'

/** Fields of a body that name the target and the change. Names, codes and messages of people are left out. */
const TARGET_FIELDS = [
  'labId',
  'testbed',
  'context',
  'sessionId',
  'stepId',
  'solve',
  'role',
  'hours',
  'open',
  'paused',
  'do',
  'on',
  'to',
  'network',
  'place',
  'letsIn',
  'typing',
]
const targetValue = z.union([z.string().max(300), z.number(), z.boolean()])

function texts(values: unknown, keys: readonly string[] | null): Record<string, string> {
  const fields = z.record(z.string(), z.unknown()).safeParse(values)
  if (!fields.success) return {}
  return Object.fromEntries(
    Object.entries(fields.data).flatMap(([key, value]) => {
      const kept = targetValue.safeParse(value)
      return kept.success && (keys === null || keys.includes(key)) ? [[key, String(kept.data)]] : []
    }),
  )
}

/** The target of a request: its parameters, and its testbed if it has one. */
function targetOf(
  request: FastifyRequest,
  { sessions, runs }: Pick<Store, 'sessions' | 'runs'>,
): Record<string, string> {
  const { caller, params, body } = request
  const target = { ...texts(body, TARGET_FIELDS), ...texts(params, null) }
  const id = target['id'] ?? target['sessionId'] ?? ''
  const testbed = runs.find(id)?.testbed ?? sessions.find(id)?.testbed ?? testbedId.safeParse(target['testbed']).data
  if (testbed === undefined || caller === null) return target
  return { ...target, testbed: ownTestbed(caller, testbed) }
}

/** The action of a line that stands for many. */
const NOT_RECORDED = 'not recorded in the last minute'
const REST = 'not recorded for the rest of this minute'

/**
 * Writes a line for every request of an instructor that changes something or is refused, and for requests of guests up to a limit
 * a minute. After such a minute a line has how many are left out. Call it after the gate is set up.
 */
export function auditRequests(app: FastifyInstance, parts: AuditParts): void {
  const { store, clock } = parts
  const limit = createAuditLimit(clock)
  let stop: (() => void) | null = null

  async function sumUp(): Promise<void> {
    stop = null
    const at = clock.now()
    for (const { principal, address, ...left } of limit.leftOut()) {
      const { id, name, role } = principal
      const target = { changes: String(left.changes), refusals: String(left.refusals) }
      await addLine(parts, { at, principal: id, name, role, address, action: NOT_RECORDED, target, status: 429 })
    }
  }

  app.addHook('onClose', async () => stop?.())
  app.addHook('onResponse', async (request, reply) => {
    const { caller, method, routeOptions, ip } = request
    // Strangers write nothing: they could fill the log.
    if (caller === null || routeOptions.url === undefined || !isAudited(method, routeOptions.url)) return
    const refused = reply.statusCode >= 400
    const recording = limit.count(caller, clientAddress(ip), refused)
    if (recording === 'none') {
      stop ??= clock.after(MINUTE_MS - (clock.now() % MINUTE_MS), () => void sumUp())
      return
    }
    const target = targetOf(request, store)
    await addLine(parts, {
      at: clock.now(),
      principal: caller.id,
      name: caller.name,
      role: caller.role,
      address: clientAddress(ip),
      action: `${method} ${routeOptions.url}`,
      target: recording === 'last' ? { ...target, [refused ? 'refusals' : 'changes']: REST } : target,
      status: reply.statusCode,
    })
  })
}

const PAGE = 100
const COLUMNS = ['at', 'principal', 'name', 'role', 'address', 'action', 'target', 'status']

function csvLine({ at, principal, name, role, address, action, target, status }: AuditEntry): string {
  const on = Object.entries(target).map(([key, value]) => `${key}=${value}`)
  const cells = [new Date(at).toISOString(), principal, name, role, address, action, on.join(' '), status]
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** The log as CSV: newest first, read in pages as fast as the client takes them, with a turn for others after each. */
export async function* csvLines({ audit }: Pick<Store, 'audit'>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`
  for (let page = audit.page(PAGE); page.length > 0; page = audit.page(PAGE, page.at(-1)?.id)) {
    yield page.map(csvLine).join('')
    await letOthers()
  }
}

function sendCsv(reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-disposition', 'attachment; filename="expresslane-audit.csv"')
    .type('text/csv; charset=utf-8')
    .send(Readable.from(lines))
}

export function auditRoutes({ store }: Pick<Deps, 'store'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, listAudit, {
      summary: 'The audit log, newest first, in pages',
      description: 'One line for each request that changed something or was refused.',
      tags: ['access'],
      handler: async ({ query }) => {
        // An additional line shows whether there is another page.
        const found = store.audit.page(query.limit + 1, query.before)
        const entries = found.slice(0, query.limit)
        return { entries, next: found.length > entries.length ? (entries.at(-1)?.id ?? null) : null }
      },
    })

    serve(app, downloadAudit, {
      summary: 'The whole audit log as CSV',
      tags: ['access'],
      file: 'The log as a file',
      handler: async (_request, reply) => sendCsv(reply, csvLines(store)),
    })
  }
}
