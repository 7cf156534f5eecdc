/** The colours and font of a drawing. */
import { armHue, type Hue } from './hues.ts'

export interface Palette {
  readonly surface: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly off: string
  readonly on: string
  /** For other arms. */
  readonly others: readonly string[]
  readonly font: string
}

export const FONT = "'Inter Variable', Inter, system-ui, 'Segoe UI', Roboto, sans-serif"

/** The page's colours on white. */
export const lightColors = {
  page: '#f4f6f8',
  surface: '#ffffff',
  sunken: '#f7f9fb',
  line: '#d3dbe3',
  ink: '#14202b',
  muted: '#526070',
  off: '#b04a00',
  on: '#0065a3',
  good: '#14713d',
  bad: '#b3261e',
  warn: '#8a5a00',
  'warn-soft': '#fdf3dc',
  'arm-1': '#00695c',
  'arm-2': '#8e2f7d',
  'arm-3': '#6b5a00',
  'arm-4': '#4a4fb0',
  'arm-5': '#a3254e',
  'arm-6': '#46535f',
} as const

export type ColorName = keyof typeof lightColors

export const darkColors: Readonly<Record<ColorName, string>> = {
  page: '#0d1218',
  surface: '#151c24',
  sunken: '#10161d',
  line: '#333f4d',
  ink: '#e8eef4',
  muted: '#9fadbc',
  off: '#f2a154',
  on: '#63b8f5',
  good: '#58c98a',
  bad: '#ff8f86',
  warn: '#e5b454',
  'warn-soft': '#2d2410',
  'arm-1': '#4fd1b5',
  'arm-2': '#e79ad6',
  'arm-3': '#d8c35a',
  'arm-4': '#aab0ff',
  'arm-5': '#ff9db6',
  'arm-6': '#b4c1cd',
}

function paletteOf(color: (name: ColorName) => string): Palette {
  return {
    surface: color('surface'),
    ink: color('ink'),
    muted: color('muted'),
    line: color('line'),
    off: color('off'),
    on: color('on'),
    others: (['arm-1', 'arm-2', 'arm-3', 'arm-4', 'arm-5', 'arm-6'] as const).map(color),
    font: FONT,
  }
}

/** For a document that defines the colours for both schemes, as the HTML report does. */
export const documentPalette = paletteOf((name) => `var(--${name})`)

/** For a standalone drawing on white. */
export const paperPalette = paletteOf((name) => lightColors[name])

export function hueFill(palette: Palette, hue: Hue): string {
  if (hue === 'off' || hue === 'on') return palette[hue]
  return palette.others[Number(hue) - 1] ?? palette.ink
}

/** An arm's colour ({@link armHue}). */
export function armFill(palette: Palette, arm: string, place: number): string {
  return hueFill(palette, armHue(arm, place))
}
