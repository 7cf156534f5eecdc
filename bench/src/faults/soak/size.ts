/** The memory and the open files of a process. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const SAMPLES = 5
const EVERY_MS = 2000

export interface Size {
  /** Resident memory, in MB. */
  readonly rss: number
  readonly descriptors: number
}

/** A size with the paths and kinds that the descriptors lead to, such as `socket`. */
export interface SizeWithFiles extends Size {
  readonly files: readonly string[]
}

/**
 * A database counts once. When a second connection to it closes, SQLite keeps that descriptor and gives it to the next
 * connection: closing it would drop the locks of the first connection.
 *
 * @see https://www.sqlite.org/lockingv3.html
 * @returns the kinds of the open descriptors; a descriptor that is closed meanwhile is left out
 */
async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => null)))
  const files = links.filter((link) => link !== null).map((link) => link.replace(/:\[\d+\]$/, ''))
  return files.filter((file, at) => !file.endsWith('.db') || files.indexOf(file) === at)
}

/** @returns the files that `now` has open more often than `before`, with their number */
export function filesAdded(before: SizeWithFiles, now: SizeWithFiles): string[] {
  const count = (size: SizeWithFiles, file: string): number => size.files.filter((other) => other === file).length
  return [...new Set(now.files)].flatMap((file) => {
    const more = count(now, file) - count(before, file)
    return more > 0 ? [`${more} x ${file}`] : []
  })
}

export async function sizeNow(pid: number): Promise<SizeWithFiles> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const rss = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  const files = await openFiles(pid)
  return { rss, descriptors: files.length, files }
}

/** Waits for the process to rest, and then takes the least of several looks: a timer can run in one of them. */
export async function sizeAtRest(pid: number, restMs: number): Promise<SizeWithFiles> {
  await delay(restMs)
  const sizes: SizeWithFiles[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    sizes.push(await sizeNow(pid))
    await delay(EVERY_MS)
  }
  const fewest = sizes.reduce((least, size) => (size.descriptors < least.descriptors ? size : least))
  return { ...fewest, rss: Math.min(...sizes.map(({ rss }) => rss)) }
}
