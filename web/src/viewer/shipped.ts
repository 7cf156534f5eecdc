/**
 * The labs and recordings that come with the site, as `scripts/site/contents.mjs` writes them. Each file is a script that
 * puts its value into a global object: a page that was opened from a disk may load scripts, and no other files.
 */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { RecordingView } from '@expresslane/shared/recordings/recording'
import type { LabsResponse } from '@expresslane/shared/wire/protocol'
import type { MachineFiles, SavedMachine } from '@expresslane/shared/wire/tab'
import type { Contents } from './answers.ts'
import type { MachineOnDisk } from './computer.ts'

declare global {
  var expresslaneSite:
    | {
        /** Expresslane's version. */
        readonly version: string
        readonly recordings: readonly RecordingView[]
        /** Languages of the labs besides their own, two letters each (ISO 639-1). */
        readonly languages: readonly string[]
        /** The labs by language, once they are loaded; their own language is `en`. */
        readonly labs: Readonly<Record<string, Omit<LabsResponse, 'testbeds'>>>
        /** The files of loaded recordings by id: gzipped, in Base64. */
        readonly files: Readonly<Record<string, string>>
        /** The emulated computer; null for a site without it. */
        readonly machine?: ShippedMachine | null
        /** Its files for a page from a disk, once they are loaded: in Base64. */
        disk?: Readonly<Record<'worker' | keyof MachineFiles, string>>
        /** The page is a file by itself, whose policy allows no connection. */
        readonly alone?: boolean
      }
    | undefined
}

/** The emulated computer of the site. */
export interface ShippedMachine extends SavedMachine {
  /** The sum of its files, to download. */
  readonly bytes: number
}

export interface Shipped extends Pick<Contents, 'version' | 'labs'> {
  readonly recordings: readonly RecordingView[]
  /** True if this page may load recordings from addresses. */
  readonly connects: boolean
  /** @throws LabError if there is no such recording, or it can't be loaded */
  recording(id: string): Promise<Uint8Array<ArrayBuffer>>
  readonly machine: ShippedMachine | null
  /** The computer's files for a page from a disk; null on a host, where its worker fetches them. @throws LabError */
  machineOnDisk(): Promise<MachineOnDisk | null>
}

function load(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = file
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      const message = i18n.t('{file} is not here, or can’t be loaded now.', { file })
      reject(new LabError('not_found', message, i18n.t('Choose a recording from the list on the start page.')))
    })
    document.head.append(script)
  })
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))

async function unpacked(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = bytesOf(base64)
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The labs and recordings that came with the page; none without `contents.js`. */
export function shippedWithSite(): Shipped {
  const site: NonNullable<typeof expresslaneSite> = globalThis.expresslaneSite ?? {
    version: '',
    recordings: [],
    languages: [],
    labs: {},
    files: {},
  }
  const { version, recordings, languages, labs, files, machine = null, alone = false } = site
  /** The value of a key, which a script adds. */
  async function found<T>(of: Readonly<Record<string, T>>, key: string, folder: string): Promise<T> {
    const file = `${folder}/${encodeURIComponent(key)}.js`
    if (!Object.hasOwn(of, key)) await load(file)
    const value = of[key]
    if (value === undefined) throw new Error(`${file} has no ${key}`)
    return value
  }
  return {
    version,
    recordings,
    connects: !alone,
    labs: (language) => found(labs, languages.includes(language ?? '') ? (language ?? '') : 'en', 'labs'),
    recording: async (id) => unpacked(await found(files, id, 'recordings')),
    machine,
    async machineOnDisk() {
      if (location.protocol !== 'file:') return null
      if (site.disk === undefined) await load('machine/disk.js')
      const { disk } = site
      if (disk === undefined) throw new Error('machine/disk.js has no files')
      const [wasm, bios, state] = [disk.wasm, disk.bios, disk.state].map((one) => bytesOf(one).buffer)
      // A second start loads it again: it takes 16 MB.
      delete site.disk
      if (wasm === undefined || bios === undefined || state === undefined) throw new Error('three files')
      return { worker: new TextDecoder().decode(bytesOf(disk.worker)), files: { wasm, bios, state } }
    },
  }
}
