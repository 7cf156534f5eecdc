/** Finds the first kernel with the other end's result, by halving. Pure but for the measurements. */
import { LabError } from '@expresslane/shared/base/errors'

/** The first comparison of a cell: the arm's median, and its ratio to the first arm. */
export interface Levels {
  readonly on: number
  readonly ratio: number
}

export interface Found {
  /** The last release that is like the first end, and the release after it. */
  readonly last: string
  readonly first: string
  /** The value that was compared. */
  readonly by: keyof Levels
  readonly before: number
  readonly after: number
  /** Releases between these two that can't be measured. */
  readonly unmeasured: readonly string[]
}

const distance = (a: number, b: number): number => Math.abs(Math.log(a / b))

/** The value by which the ends differ: the arm's median, else its ratio. @throws LabError `bad_request` if neither differs */
function subject(good: Levels, bad: Levels, floor: number): keyof Levels {
  const by = (['on', 'ratio'] as const).find((one) => distance(good[one], bad[one]) >= Math.log1p(floor))
  if (by !== undefined) return by
  const percent = (Math.expm1(distance(good.on, bad.on)) * 100).toFixed(2)
  throw new LabError(
    'bad_request',
    `The two kernels differ by ${percent} %, and differences below ${floor * 100} % do not count on the counted machine.`,
    'Choose two kernels, or a lab, whose results differ.',
  )
}

/**
 * @param releases the candidates, from one end to the other, both included
 * @param measure null for a release that can't be measured, which is then no candidate any more
 * @param floor the smallest difference that counts, as a share
 * @throws LabError `bad_request` if there is nothing to find; the errors of `measure`
 */
export async function bisect(
  releases: readonly string[],
  measure: (release: string) => Promise<Levels | null>,
  floor: number,
): Promise<Found> {
  const [goodRelease, badRelease] = [releases[0] ?? '', releases.at(-1) ?? '']
  const [good, bad] = [await measure(goodRelease), await measure(badRelease)]
  if (good === null || bad === null) {
    const release = good === null ? goodRelease : badRelease
    throw new LabError(
      'bad_request',
      `The kernel ${release} has no comparison to go by.`,
      'Choose another kernel, or a lab with a comparison. The lines above can say more.',
    )
  }
  const by = subject(good, bad, floor)
  const known = new Map([
    [goodRelease, good],
    [badRelease, bad],
  ])
  const absent: string[] = []
  let left = [...releases]
  while (left.length > 2) {
    const middle = Math.floor(left.length / 2)
    const release = left[middle] ?? ''
    const levels = await measure(release)
    if (levels === null) {
      absent.push(release)
      left.splice(middle, 1)
      continue
    }
    known.set(release, levels)
    const isGood = distance(levels[by], good[by]) < distance(levels[by], bad[by])
    left = isGood ? left.slice(middle) : left.slice(0, middle + 1)
  }
  const [last, first] = [left[0] ?? '', left[1] ?? '']
  const between = releases.slice(releases.indexOf(last), releases.indexOf(first))
  return {
    last,
    first,
    by,
    before: known.get(last)?.[by] ?? 0,
    after: known.get(first)?.[by] ?? 0,
    unmeasured: absent.filter((one) => between.includes(one)),
  }
}
