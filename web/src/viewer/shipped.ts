/**
 * The recordings and labs that come with the site. A recording is a script that calls back with its bytes: a page that was
 * opened from a disk may load scripts, and no other files.
 */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import { labs, recordings, version } from 'virtual:shipped'
import type { Shipped } from './tab.ts'

declare global {
  /** Recordings that were loaded, by id: gzipped, in Base64. */
  var expresslaneRecordings: Record<string, string> | undefined
}

function notLoaded(id: string): LabError {
  return new LabError(
    'not_found',
    i18n.t('There is no recording “{id}” here, or it can’t be loaded now.', { id }),
    i18n.t('Choose a recording from the list on the start page.'),
  )
}

function load(id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `recordings/${id}.js`
    script.onload = () => resolve()
    script.onerror = () => reject(notLoaded(id))
    document.head.append(script)
  })
}

async function unpacked(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

export const shippedWithSite: Shipped = {
  recordings,
  version,
  labs: async (language) => (labs[language ?? 'en'] ?? labs['en'] ?? noLabs)(),
  async recording(id) {
    if (!/^[a-z0-9-]+$/.test(id)) throw notLoaded(id)
    if (globalThis.expresslaneRecordings?.[id] === undefined) await load(id)
    const packed = globalThis.expresslaneRecordings?.[id]
    if (packed === undefined) throw notLoaded(id)
    return unpacked(packed)
  },
}

function noLabs(): never {
  throw new Error('the site was built without labs')
}
