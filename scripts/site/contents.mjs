/**
 * Writes the labs and recordings of the static site: `node scripts/site/contents.mjs SITE VERSION`. It runs on the project's
 * own Node, because it uses the server's readers. `web/src/viewer/shipped.ts` reads the files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inRoot } from '../base/paths.mjs'
import { readyMachine } from '../machine/machine.mjs'
import { createLabCatalogue } from '../../server/src/labs/catalogue.ts'
import { readShipped } from '../../server/src/replay/library.ts'
import { aboutMachine } from './machine.mjs'

const [site = '', version = ''] = process.argv.slice(2)

/** @param {string} file @param {string} place an expression @param {unknown} value */
function write(file, place, value) {
  const path = join(site, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `globalThis.expresslaneSite${place} = ${JSON.stringify(value)}\n`)
}

const catalogue = createLabCatalogue([{ path: inRoot('labs'), origin: 'shipped', watched: false }], [])
const languages = [...catalogue.languages()]
for (const language of ['en', ...languages]) {
  const labs = { labs: catalogue.all(language), glossary: catalogue.glossary(language), problems: [] }
  write(`labs/${language}.js`, `.labs.${language}`, labs)
}
await catalogue.close()

const recordings = readShipped(inRoot('recordings'))
for (const { view, file, close } of recordings) {
  const packed = gzipSync(file.read(0, file.size), { level: 9 }).toString('base64')
  write(`recordings/${view.id}.js`, `.files['${view.id}']`, packed)
  close()
}
const built = readyMachine()
const machine = built === null ? null : aboutMachine(built)
const views = recordings.map(({ view }) => view)
write('contents.js', '', { version, recordings: views, languages, labs: {}, files: {}, machine })
