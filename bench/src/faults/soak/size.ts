/** The memory and the open files of a process. */
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const SAMPLES = 5
const EVERY_MS = 2000

export interface Size {
  /** Resident memory, in MB. */
  readonly rss: number
  readonly descriptors: number
}

export async function sizeNow(pid: number): Promise<Size> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const rss = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  return { rss, descriptors: (await readdir(`/proc/${pid}/fd`)).length }
}

/** Waits for the process to rest, and then takes the least of several looks: a timer can run in one of them. */
export async function sizeAtRest(pid: number, restMs: number): Promise<Size> {
  await delay(restMs)
  const sizes: Size[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    sizes.push(await sizeNow(pid))
    await delay(EVERY_MS)
  }
  return {
    rss: Math.min(...sizes.map(({ rss }) => rss)),
    descriptors: Math.min(...sizes.map(({ descriptors }) => descriptors)),
  }
}
