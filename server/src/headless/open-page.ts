/** Writes a page with a recording, and opens it in the browser of this machine’s user. */
import { spawn } from 'node:child_process'
import type { LabCatalogue } from '../labs/catalogue.ts'
import { writeWhole } from './result-file.ts'
import { readViewer, viewerPage } from './viewer-page.ts'

/** The system's command that opens a file; null where nobody could see it. */
function openerOf({ DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '' }: NodeJS.ProcessEnv): string | null {
  if (process.platform === 'darwin') return 'open'
  return x11 === '' && wayland === '' ? null : 'xdg-open'
}

/** Starts the system's opener, and does not wait for its end: it can be the browser itself. @returns whether it started */
function opened(file: string): Promise<boolean> {
  const opener = openerOf(process.env)
  if (opener === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/**
 * @param file absolute
 * @param recording a recording's file
 * @throws LabError `bad_request`, `data_full`, `recording_invalid`; a browser that does not open is no error
 */
export async function openPage(
  file: string,
  recording: Uint8Array,
  labs: LabCatalogue,
  print: (line: string) => void,
): Promise<void> {
  await writeWhole(file, viewerPage(await readViewer(), recording, labs))
  print(`\nThe recording is in ${file}, with the page that shows it.`)
  if (!(await opened(file)))
    print('No browser could be started here. Open the file in any browser, also on another machine.')
}
