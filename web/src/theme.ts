/** The looks of arms. The hues are CSS variables in theme.css. */
import { armHue, type Hue } from '@expresslane/shared/charts/draw/palette'

/**
 * The two arms' hues, the same everywhere: a reddish orange for `off` and a blue for `on`, from
 * Okabe and Ito's palette, darkened or lightened until text in them passes AA on either background.
 */
export const armColor: Readonly<Record<'off' | 'on', string>> = { off: 'var(--arm-off)', on: 'var(--arm-on)' }

/** The look of an arm on all pages. */
export interface ArmLook {
  /** As `data-hue` it sets `--arm` for the elements inside. */
  readonly hue: Hue
  /** The same hue where an attribute takes a colour. */
  readonly color: string
}

/** The two sides of a comparison. */
export interface SideLooks {
  readonly off: ArmLook
  readonly on: ArmLook
}

/** @param place the index of the arm in its experiment, or among the arms shown together */
export function armLook(id: string, place = 0): ArmLook {
  const hue = armHue(id, place)
  return { hue, color: `var(--arm-${hue})` }
}

/** An arm's look among these arms, for example its lab's. */
export function lookAmong(arms: readonly { readonly id: string }[], id: string): ArmLook {
  return armLook(
    id,
    arms.findIndex((one) => one.id === id),
  )
}
