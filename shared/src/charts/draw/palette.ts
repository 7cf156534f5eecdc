/** The colours of charts: one name for each, and its value on paper, in a report and on the page. */

const otherHues = ['1', '2', '3', '4', '5', '6'] as const
/** The look of an arm on the page and in reports. */
export type Hue = 'off' | 'on' | (typeof otherHues)[number]

/**
 * `off` and `on` keep their hues; any other arm gets one of a neutral series that differs from both.
 *
 * @param place the index of the arm in its experiment, or among the shown arms; below 0 if it is unknown
 */
export function armHue(arm: string, place: number): Hue {
  if (arm === 'off' || arm === 'on') return arm
  return otherHues[Math.max(0, place) % otherHues.length] ?? '1'
}

/** A colour by its name. An arm's is its hue. */
export type Paint = 'none' | 'surface' | 'ink' | 'muted' | 'line' | 'bad' | Hue

export const FONT = "'Inter Variable', Inter, system-ui, 'Segoe UI', Roboto, sans-serif"

/** The page's colours on white. */
export const lightColors = {
  page: '#f4f6f8',
  surface: '#ffffff',
  sunken: '#f7f9fb',
  line: '#d3dbe3',
  ink: '#14202b',
  muted: '#526070',
  good: '#14713d',
  bad: '#b3261e',
  warn: '#8a5a00',
  'warn-soft': '#fdf3dc',
  'arm-off': '#b04a00',
  'arm-on': '#0065a3',
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
  good: '#58c98a',
  bad: '#ff8f86',
  warn: '#e5b454',
  'warn-soft': '#2d2410',
  'arm-off': '#f2a154',
  'arm-on': '#63b8f5',
  'arm-1': '#4fd1b5',
  'arm-2': '#e79ad6',
  'arm-3': '#d8c35a',
  'arm-4': '#aab0ff',
  'arm-5': '#ff9db6',
  'arm-6': '#b4c1cd',
}

function colorName(paint: Exclude<Paint, 'none'>): ColorName {
  if (paint === 'surface' || paint === 'ink' || paint === 'muted' || paint === 'line' || paint === 'bad') return paint
  return `arm-${paint}`
}

/** A paint as a value of CSS. */
export type Palette = (paint: Paint) => string

/** For the page and the HTML report, which define the colours of both schemes under the same names. */
export const themed: Palette = (paint) => (paint === 'none' ? paint : `var(--${colorName(paint)})`)

/** For a file of its own, on white. */
export const onPaper: Palette = (paint) => (paint === 'none' ? paint : lightColors[colorName(paint)])
