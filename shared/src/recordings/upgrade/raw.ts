/** What an upgrade step reads: JSON of which nothing is known yet. */
export type Raw = Readonly<Record<string, unknown>>

export function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}
