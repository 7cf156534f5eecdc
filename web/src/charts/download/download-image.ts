/** A drawing as a file that a browser saves. Loaded when somebody saves a chart: the font comes with it. */
import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { paperPalette, type Palette } from '@expresslane/shared/report/charts/palette'
import { standaloneSvg, type Drawing } from '@expresslane/shared/report/charts/svg'
import { http } from '../../api/http.ts'

export type ImageKind = 'svg' | 'png'

/** Pixels a unit of the drawing: sharp on slides. */
const PNG_SCALE = 2
const SOURCE = 'Measured with Expresslane'

function dataUrl(type: string, bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${type};base64,${btoa(text)}`
}

/** An image has no access to the page's fonts, and another machine does not have them: the drawing carries its own. */
async function fontStyle(): Promise<string> {
  const font = dataUrl('font/woff2', await http.bytes(fontUrl))
  return `@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(${font}) format('woff2')}`
}

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image()
  image.src = dataUrl('image/svg+xml', new TextEncoder().encode(svg))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * PNG_SCALE
  canvas.height = image.naturalHeight * PNG_SCALE
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser made no PNG of the chart.'))
      else resolve(blob)
    }, 'image/png')
  })
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** @param name without its ending */
export async function saveChart(
  draw: (palette: Palette) => Drawing | null,
  name: string,
  kind: ImageKind,
): Promise<void> {
  const drawn = draw(paperPalette)
  if (drawn === null) throw new Error('There is nothing to draw yet.')
  const svg = standaloneSvg(drawn, paperPalette, SOURCE, await fontStyle())
  const blob = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg)
  save(blob, `${name}.${kind}`)
}
