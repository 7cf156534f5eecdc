import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { z } from 'zod'

/** By the names of columns: a table has the same ones in each row. */
const fields = new Map<string, string>()

function inCamelCase(name: string): string {
  const field = fields.get(name) ?? name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  fields.set(name, field)
  return field
}

/** A row whose columns have the names of a schema's fields, with underscores: `lab_id` for `labId`. */
export function columns<Schema extends z.ZodType>(schema: Schema) {
  const renamed = z
    .record(z.string(), z.unknown())
    .transform((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [inCamelCase(name), value])))
  return renamed.pipe(schema as z.ZodType<z.output<Schema>, Record<string, unknown>>)
}

/** A statement that reads rows. */
export interface Query<Row> {
  /** The first row; null without one. */
  one(...values: SQLInputValue[]): Row | null
  all(...values: SQLInputValue[]): Row[]
}

/** Prepares a statement that reads rows through a schema, since data on disk is not trusted. */
export function query<Row>(db: DatabaseSync, sql: string, row: z.ZodType<Row>): Query<Row> {
  const statement = db.prepare(sql)
  return {
    one(...values) {
      const found = statement.get(...values)
      return found === undefined ? null : row.parse(found)
    },
    all: (...values) => statement.all(...values).map((found) => row.parse(found)),
  }
}

/** A boolean, as SQLite has it. */
export const flag = z.literal([0, 1]).transform((value) => value === 1)
