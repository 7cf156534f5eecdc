import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { columns, query } from '../columns.ts'

const row = columns(
  z.object({
    issuer: z.string(),
    clientId: z.string(),
    /** The platform's id of the person. */
    subject: z.string(),
    deployment: z.string(),
    /** The place in a course where the lab is. */
    resource: z.string(),
    principal: z.string(),
    labId: z.string(),
    /** The address of the column for grades; null for a place without grades. */
    lineItem: z.string().nullable(),
    /** The number of passed steps that the platform knows. */
    sent: z.number().int(),
  }),
)
export type Launch = z.infer<typeof row>

const person = z.object({ principal: z.string() })

/** Labs that people opened from a learning platform. */
export interface Launches {
  /** Another launch of the same person at the same place replaces the first; the sent grade stays while the lab does. */
  keep(launch: Omit<Launch, 'sent'>): void
  /** The participant who a platform's person is; null before the first launch. */
  personOf(of: Pick<Launch, 'issuer' | 'clientId' | 'subject'>): string | null
  /** The launches of a participant at places with grades. */
  graded(principal: string): Launch[]
  /** Everybody with such a launch. */
  people(): string[]
  noteSent(launch: Launch, steps: number): void
}

export function createLaunches(db: DatabaseSync): Launches {
  const insert = db.prepare(
    `INSERT INTO launches (issuer, client_id, subject, deployment, resource, principal, lab_id, line_item)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET principal = excluded.principal, line_item = excluded.line_item, lab_id = excluded.lab_id,
       sent = iif(lab_id = excluded.lab_id, sent, 0)`,
  )
  const bySubject = query(
    db,
    'SELECT principal FROM launches WHERE issuer = ? AND client_id = ? AND subject = ? LIMIT 1',
    person,
  )
  const withGrades = query(db, 'SELECT * FROM launches WHERE principal = ? AND line_item IS NOT NULL', row)
  const everybody = query(db, 'SELECT DISTINCT principal FROM launches WHERE line_item IS NOT NULL', person)
  const markSent = db.prepare(
    `UPDATE launches SET sent = ?
     WHERE issuer = ? AND client_id = ? AND subject = ? AND deployment = ? AND resource = ? AND lab_id = ?`,
  )
  return {
    keep({ issuer, clientId, subject, deployment, resource, principal, labId, lineItem }) {
      insert.run(issuer, clientId, subject, deployment, resource, principal, labId, lineItem)
    },
    personOf: ({ issuer, clientId, subject }) => bySubject.one(issuer, clientId, subject)?.principal ?? null,
    graded: withGrades.all,
    people: () => everybody.all().map(({ principal }) => principal),
    noteSent({ issuer, clientId, subject, deployment, resource, labId }, steps) {
      markSent.run(steps, issuer, clientId, subject, deployment, resource, labId)
    },
  }
}
