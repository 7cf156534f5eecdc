/** The colours and letters of a drawing. */

export interface Palette {
  readonly surface: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly off: string
  readonly on: string
  /** Arms that are neither. */
  readonly others: readonly string[]
  /** Both ends of a heat map; what lies between is mixed by opacity. */
  readonly less: string
  readonly more: string
  readonly font: string
}

const FONT = "'Inter Variable', Inter, system-ui, 'Segoe UI', Roboto, sans-serif"

/** For a document that defines the colours for both schemes, as the HTML report does. */
export const documentPalette: Palette = {
  surface: 'var(--surface)',
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  line: 'var(--line)',
  off: 'var(--off)',
  on: 'var(--on)',
  others: ['var(--arm-1)', 'var(--arm-2)', 'var(--arm-3)', 'var(--arm-4)', 'var(--arm-5)', 'var(--arm-6)'],
  less: 'var(--off)',
  more: 'var(--on)',
  font: FONT,
}

/** An arm's colour: `off` and `on` keep theirs, any other one gets that of its place. */
export function armFill(palette: Palette, arm: string, place: number): string {
  if (arm === 'off') return palette.off
  if (arm === 'on') return palette.on
  return palette.others[place % palette.others.length] ?? palette.ink
}
