/** The input of an upgrade: JSON that was not checked yet. */
export type Raw = Readonly<Record<string, unknown>>

export function isObject(raw: unknown): raw is Raw {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw)
}

/** Applies `change` to a field if it exists. */
export function changed(raw: unknown, field: string, change: (value: unknown) => unknown): unknown {
  return isObject(raw) && field in raw ? { ...raw, [field]: change(raw[field]) } : raw
}

/** Applies `change` to each item of a list. */
export function each(change: (value: unknown) => unknown): (raw: unknown) => unknown {
  return (raw) => (Array.isArray(raw) ? raw.map(change) : raw)
}
