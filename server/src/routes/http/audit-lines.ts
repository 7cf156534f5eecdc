/** Writes lines of the audit log. */
import type { AuditEntry } from '@expresslane/shared/wire/board'
import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../../access/clients.ts'
import type { Deps } from '../../deps.ts'
import type { Store } from '../../store/open.ts'

export type AuditParts = Pick<Deps, 'store' | 'log' | 'clock' | 'logger'>

/** Adds a line to the audit log, once the store can be written. Never rejects. */
export async function addLine(
  { store, log, logger }: AuditParts,
  entry: Parameters<Store['audit']['add']>[0],
): Promise<void> {
  try {
    await log.settled()
    store.audit.add(entry)
  } catch (error) {
    logger.error({ err: error }, 'not recorded in the audit log')
  }
}

/** Adds a line for something that a person does on an open WebSocket. */
export async function auditOnSocket(
  parts: AuditParts,
  { principal: { id, name, role }, ip }: Pick<FastifyRequest, 'principal' | 'ip'>,
  action: string,
  target: AuditEntry['target'],
): Promise<void> {
  const at = parts.clock.now()
  await addLine(parts, { at, principal: id, name, role, address: clientAddress(ip), action, target, status: 101 })
}
