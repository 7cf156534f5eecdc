/** The look in one place: Mantine's theme here, the hues and sizes as CSS variables in theme.css. */
import { createTheme, defaultVariantColorsResolver } from '@mantine/core'
import type { Arm } from '@expresslane/shared/measurement'

/**
 * The two arms' hues, the same everywhere: a reddish orange for `off` and a blue for `on`, from
 * Okabe and Ito's palette, darkened or lightened until text in them passes AA on either background.
 */
export const armColor: Record<Arm, string> = { off: 'var(--arm-off)', on: 'var(--arm-on)' }

export const armName: Record<Arm, string> = { off: 'Without BIG TCP', on: 'With BIG TCP' }

export const theme = createTheme({
  defaultRadius: 'md',
  // Filled is ink on paper in light and paper on ink in dark; Mantine's own text on filled is white in both.
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    return input.variant === 'filled' ? { ...resolved, color: 'var(--on-accent)' } : resolved
  },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    ActionIcon: { defaultProps: { size: 'lg', variant: 'subtle' } },
  },
})
