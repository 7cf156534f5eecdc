/** The hues of arms, the same on the page and in reports. */

const otherHues = ['1', '2', '3', '4', '5', '6'] as const
/** What an arm looks like on the page and in reports. */
export type Hue = 'off' | 'on' | (typeof otherHues)[number]

/**
 * `off` and `on` keep their hues; any other arm gets one of a neutral series that differs from both.
 *
 * @param place the index of the arm in its experiment, or among those shown together; below 0 if it is unknown
 */
export function armHue(arm: string, place: number): Hue {
  if (arm === 'off' || arm === 'on') return arm
  return otherHues[Math.max(0, place) % otherHues.length] ?? '1'
}
