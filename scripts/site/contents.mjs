/**
 * Writes the labs and recordings of the static site into a folder: `node scripts/site/contents.mjs FOLDER SITE`. It runs on
 * the project's own Node, because it uses the server's readers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { inRoot } from '../base/paths.mjs'
import { createLabCatalogue } from '../../server/src/labs/catalogue.ts'
import { readShipped } from '../../server/src/replay/library.ts'

const [folder = '', site = ''] = process.argv.slice(2)
const catalogue = createLabCatalogue([{ path: inRoot('labs'), origin: 'shipped', watched: false }], [])

mkdirSync(folder, { recursive: true })
mkdirSync(join(site, 'recordings'), { recursive: true })
const languages = ['en', ...catalogue.languages()]
for (const language of languages) {
  const labs = { labs: catalogue.all(language), glossary: catalogue.glossary(language), problems: [] }
  writeFileSync(join(folder, `labs-${language}.json`), JSON.stringify(labs))
}
const shipped = readShipped(inRoot('recordings'))
const recordings = shipped.map(({ view }) => view)
for (const { view, file, close } of shipped) {
  const packed = gzipSync(file.read(0, file.size), { level: 9 }).toString('base64')
  const text = `(globalThis.expresslaneRecordings ??= {})[${JSON.stringify(view.id)}] = '${packed}'\n`
  writeFileSync(join(site, 'recordings', `${view.id}.js`), text)
  close()
}
writeFileSync(join(folder, 'index.json'), JSON.stringify({ recordings, languages }))
await catalogue.close()
