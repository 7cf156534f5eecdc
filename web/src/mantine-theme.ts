/** Mantine's theme. The sizes are CSS variables in theme.css. */
import { createTheme, defaultVariantColorsResolver } from '@mantine/core'

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
    Checkbox: { defaultProps: { size: 'md', iconColor: 'var(--on-accent)' } },
    ActionIcon: { defaultProps: { size: 'lg', variant: 'subtle' } },
  },
})
