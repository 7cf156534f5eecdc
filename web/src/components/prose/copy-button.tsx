import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies `text`; `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 })
  return (
    <ActionIcon color="gray" aria-label={copied ? `Copied ${what}` : `Copy ${what}`} onClick={() => copy(text)}>
      {copied ? <IconCheck size={18} /> : <IconCopy size={18} stroke={1.7} />}
    </ActionIcon>
  )
}
