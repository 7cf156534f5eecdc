/** The page of `--open`: the static viewer, a lab and a recording of it in one file. Pure but for reading the viewer. */
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { LabError } from '@expresslane/shared/base/errors'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { viewOf } from '@expresslane/shared/recordings/file/outline'
import packageJson from '../../package.json' with { type: 'json' }
import type { LabCatalogue } from '../labs/catalogue.ts'
import { pictureIn } from '../replay/library.ts'

/** `web/vite.viewer.config.ts` writes it. */
const viewer = new URL('../../../web/site/dist/viewer.html', import.meta.url)

/** The place in the viewer for the lab and the recording; the first of its kind, because the scripts follow it. */
const PLACE = '{contents}'

/** The viewer without contents. @throws LabError `bad_request` where it was not built */
export async function readViewer(): Promise<string> {
  try {
    return await readFile(viewer, 'utf8')
  } catch (cause) {
    const message =
      'To write a page, `npm run lab` needs a checkout of Expresslane: the sources of the page are not here.'
    throw new LabError('bad_request', message, 'Leave out --open, or run this command in a checkout.', { cause })
  }
}

/** `expresslane-big-tcp-ipv4-20261121-1403.html`. @param at milliseconds since the epoch; the name has it in UTC */
export function pageName(labId: string, at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '')
  return `expresslane-${labId}-${digits.slice(0, 8)}-${digits.slice(8, 12)}.html`
}

/**
 * @param page the viewer without contents
 * @param recording a recording's file
 * @param labs has the lab of the recording
 * @throws LabError `recording_invalid`
 */
export function viewerPage(page: string, recording: Uint8Array, labs: LabCatalogue): string {
  const read = readRecording(recording)
  const { lab, recordedAt } = read.outline
  const id = `run-${recordedAt.toString(36)}-${read.bytes.length.toString(36)}`
  const languages = [...labs.languages()]
  const labIn = (language: string) => ({
    labs: labs.all(language).filter((one) => one.id === lab),
    glossary: labs.glossary(language),
    problems: [],
  })
  // As `web/src/viewer/shipped.ts` reads it.
  const contents = {
    version: packageJson.version,
    alone: true,
    recordings: [viewOf(read.outline, id, true, pictureIn(read))],
    languages,
    labs: Object.fromEntries(['en', ...languages].map((language) => [language, labIn(language)])),
    files: { [id]: gzipSync(read.bytes, { level: 9 }).toString('base64') },
  }
  // JSON in a `<script>` that is no program: without `<` no text can end it.
  const text = JSON.stringify(contents).replaceAll('<', String.raw`\u003c`)
  return page.replace(PLACE, () => text)
}
