/** What an upgrade step reads: JSON of which nothing is known yet. */
export type Raw = Readonly<Record<string, unknown>>

export function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** `change` applied to a field that is there. */
export function changed(raw: unknown, field: string, change: (value: unknown) => unknown): unknown {
  return isObject(raw) && field in raw ? { ...raw, [field]: change(raw[field]) } : raw
}

/** `change` applied to each item of a list. */
export function each(change: (value: unknown) => unknown): (raw: unknown) => unknown {
  return (raw) => (Array.isArray(raw) ? raw.map(change) : raw)
}
