/**
 * The address of the viewer: `?recording=` names each open recording, before the `#`, so that the page's first script can
 * limit the connections to these addresses. After the `#` stands the address of the page within the viewer, with `at`, the
 * time in the recording in milliseconds.
 */
import type { Problem } from '@expresslane/shared/base/errors'
import type { Opened } from './file/questions.ts'
import type { RunSource } from './source.ts'

/** A recording: it comes with the site, has an address, or is a file that the reader has. */
export type Source = { readonly shipped: string } | { readonly url: string } | { readonly file: File }

const RECORDING = 'recording'
export const AT = 'at'

function isUrl(name: string): boolean {
  return /^https?:/.test(name)
}

/** The recordings of an address, by their names: a URL, the id of a shipped recording, or of a file that the reader has. */
export function recordingsInAddress(search: string): string[] {
  return [...new Set(new URLSearchParams(search).getAll(RECORDING))]
}

/** Null for a file that only the reader has. */
export function sourceOf(name: string): Source | null {
  if (isUrl(name)) return { url: name }
  return name.startsWith('file-') ? null : { shipped: name }
}

/** Keeps the names of the open recordings in the address, without a new entry in the browser's history. */
export function keepInAddress(names: readonly string[]): void {
  const search = new URLSearchParams(names.map((name) => [RECORDING, name])).toString()
  const address = `${location.pathname}${search === '' ? '' : `?${search}`}${location.hash}`
  history.replaceState(history.state, '', address)
}

/** The recordings of a link that are not open. */
export interface Wanted {
  /** The linked page of the viewer. */
  readonly path: string
  /** Ids of files that only the reader has. */
  readonly files: readonly string[]
  /** Why the other recordings can't be opened. */
  readonly problems: readonly Problem[]
}

/** A step of an open recording. */
export function addressOf({ sessionId, view }: Opened, stepId: string): string {
  return `/labs/${view.lab}/sessions/${sessionId}/${stepId}`
}

/** A time in a recording, `12:03`. @param ms milliseconds */
export function formatPlace(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`
}

/** Where a file shows its result: at the step of a recording, on the page of a report. */
export function resultAddress(shown: { readonly name: string; readonly opened?: Opened }): string {
  const { name, opened } = shown
  return opened === undefined ? `/reports/${encodeURIComponent(name)}` : addressOf(opened, opened.result.stepId)
}

/** The comparison of the latest measurements of the first two open files; null with fewer. */
export function comparisonOf(sources: readonly Pick<RunSource, 'measured'>[]): string | null {
  const [a, b] = sources.flatMap(({ measured }) => measured.at(-1)?.id ?? [])
  return a === undefined || b === undefined ? null : `/compare?${new URLSearchParams({ a, b }).toString()}`
}
