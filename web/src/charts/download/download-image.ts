/** Saves a drawing as a file. Loaded on demand, because the font comes with it. */
import { i18n } from '@expresslane/shared/base/language'
import { file } from '../../api/request.ts'
import fontUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { paper, type Chart, type Frame } from '@expresslane/shared/charts/draw/chart'
import { standaloneSvg } from '@expresslane/shared/charts/draw/svg'

export type ImageKind = 'svg' | 'png'

/** Pixels per unit of the drawing: sharp on slides. */
const PNG_SCALE = 2

function dataUrl(type: string, bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${type};base64,${btoa(text)}`
}

/** Embeds the font: an image can't use the fonts of the page, and other machines do not have them. */
async function fontStyle(): Promise<string> {
  const font = dataUrl('font/woff2', new Uint8Array(await (await file(fontUrl)).arrayBuffer()))
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
      if (blob === null) reject(new Error('The browser could not create a PNG of the chart.'))
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

/** @param name without the file extension */
export async function saveChart(draw: (frame: Frame) => Chart | null, name: string, kind: ImageKind): Promise<void> {
  const drawn = draw(paper)
  if (drawn === null) throw new Error('There is nothing to draw yet.')
  const svg = standaloneSvg(drawn, i18n.t('Measured with Expresslane'), await fontStyle())
  const blob = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg)
  save(blob, `${name}.${kind}`)
}
