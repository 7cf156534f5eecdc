import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Follows the system until someone chooses. */
export function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const now = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const other = now === 'light' ? 'dark' : 'light'
  return (
    <ActionIcon color="gray" aria-label={`Switch to ${other}`} onClick={() => setColorScheme(other)}>
      {now === 'light' ? <IconMoon size={20} stroke={1.7} /> : <IconSun size={20} stroke={1.7} />}
    </ActionIcon>
  )
}
