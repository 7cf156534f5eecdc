/** The looks of arms. The hues are CSS variables in theme.css. */

/**
 * The two arms' hues, the same everywhere: a reddish orange for `off` and a blue for `on`, from
 * Okabe and Ito's palette, darkened or lightened until text in them passes AA on either background.
 */
export const armColor: Readonly<Record<'off' | 'on', string>> = { off: 'var(--arm-off)', on: 'var(--arm-on)' }

/** The look of an arm on all pages. */
export interface ArmLook {
  /** As `data-hue` it sets `--arm` for what is inside. */
  readonly hue: 'off' | 'on' | '1' | '2' | '3' | '4' | '5' | '6'
  /** The same hue where an attribute takes a colour. */
  readonly color: string
}

/** The two sides of a comparison. */
export interface SideLooks {
  readonly off: ArmLook
  readonly on: ArmLook
}

const otherHues = ['1', '2', '3', '4', '5', '6'] as const

/**
 * `off` and `on` keep their hues; any other arm gets one of a neutral series that differs from both.
 *
 * @param place the index of the arm among those shown together
 */
export function armLook(id: string, place = 0): ArmLook {
  if (id === 'off' || id === 'on') return { hue: id, color: armColor[id] }
  const hue = otherHues[place % otherHues.length] ?? '1'
  return { hue, color: `var(--arm-${hue})` }
}
