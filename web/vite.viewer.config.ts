/**
 * Builds the static viewer into one file, `site/dist/viewer.html`, which `npm run lab -- LAB --open` fills with a lab and its
 * recording (server/src/headless/viewer-page.ts).
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mergeConfig, type Plugin, type UserConfig } from 'vite'
import site from './vite.site.config.ts'

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8')

/** Inside `<script>` neither may stand; in JavaScript the escape means the same in a string and in a regular expression. */
const inScript = (code: string): string => code.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3C`)

/** Allows an inline script or style by its contents. */
const allowed = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page around its script and style. Its policy allows these alone, and no connection. */
function pageOf(whole: string, styles: string): string {
  const first = read('public', 'color-scheme.js') + read('site', 'packed.js')
  const contents = '<script id="contents" type="application/json">{contents}</script>'
  const places = {
    '{scripts}': [first, whole].map(allowed).join(' '),
    '{style}': allowed(styles),
    '{icon}': Buffer.from(read('public', 'favicon.svg')).toString('base64'),
    '<!-- head -->': `<style>${styles}</style>${contents}<script>${first}</script>`,
    // It comes last: a text in it can't be taken for a place to fill.
    '<!-- body -->': `<script>${whole}</script>`,
  }
  return Object.entries(places).reduce(
    (page, [place, value]) => {
      if (!page.includes(place)) throw new Error(`packed.html has no ${place}`)
      return page.replace(place, () => value)
    },
    read('site', 'packed.html'),
  )
}

const onePage: Plugin = {
  name: 'one-page',
  enforce: 'post',
  generateBundle(_, bundle) {
    const parts = Object.values(bundle)
    const chunks = parts.filter((part) => part.type === 'chunk')
    const sheets = parts.flatMap((part) => (part.type === 'asset' && part.fileName.endsWith('.css') ? part.source : []))
    const [chunk, sheet] = [chunks[0], sheets[0]]
    if (chunk === undefined || sheet === undefined || parts.length > 2)
      return this.error(`one script and one stylesheet expected, not ${Object.keys(bundle).join(', ')}`)
    for (const name of Object.keys(bundle)) delete bundle[name]
    const source = pageOf(inScript(chunk.code), sheet.toString())
    this.emitFile({ type: 'asset', fileName: 'viewer.html', source })
  },
}

const { environments = {}, builder: _, ...both }: UserConfig = site
const config: UserConfig = {
  plugins: [onePage],
  publicDir: false,
  build: { outDir: 'site/dist', emptyOutDir: true, assetsInlineLimit: () => true, manifest: false },
}

export default mergeConfig(mergeConfig(both, { build: environments['whole']?.build ?? {} }), config)
