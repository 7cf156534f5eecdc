import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { armLook } from '../../theme.ts'
import { armPlans, MOST_ARMS, type ArmChoice } from './arm-choice.ts'
import classes from './bench-form.module.css'

interface ArmRowsProps {
  arms: readonly ArmChoice[]
  onChange: (arms: ArmChoice[]) => void
  /** Why the testbed can't set them; null where it can. */
  noLimit: string | null
  noMtu: string | null
}

/** The arms: the first is what the others are compared with. */
export function ArmRows({ arms, onChange, noLimit, noMtu }: ArmRowsProps) {
  const { arms: named } = armPlans(arms)
  const change = (index: number, part: Partial<ArmChoice>): void =>
    onChange(arms.map((one, place) => (place === index ? { ...one, ...part } : one)))
  const whys = new Set([noLimit, noMtu].filter((one) => one !== null))
  return (
    <div className={classes.arms}>
      {arms.map(({ bigTcp, limit, mtu }, index) => {
        const name = named[index]?.label ?? ''
        return (
          // An arm has no other name than its place.
          <div
            key={index}
            className={classes.arm}
            data-hue={armLook(named[index]?.id ?? '', index).hue}
            role="group"
            aria-label={`Arm ${index + 1}: ${name}`}
          >
            <div className={classes.armHead}>
              <p className={classes.armName}>{name}</p>
              <ActionIcon
                color="gray"
                aria-label={`Remove arm ${index + 1}`}
                disabled={arms.length === 1}
                onClick={() => onChange(arms.filter((_, place) => place !== index))}
              >
                <IconX size={18} />
              </ActionIcon>
            </div>
            {index === 0 && arms.length > 1 && <p className={classes.against}>The others are held against it.</p>}
            <Checkbox
              label="BIG TCP"
              checked={bigTcp}
              onChange={(event) => change(index, { bigTcp: event.currentTarget.checked })}
            />
            <TextInput
              aria-label="Send limit"
              leftSection={<span className={classes.prefix}>limit</span>}
              leftSectionWidth={54}
              placeholder={bigTcp ? 'auto' : '64K'}
              value={bigTcp ? limit : ''}
              disabled={!bigTcp || (noLimit !== null && limit === '')}
              onChange={(event) => change(index, { limit: event.currentTarget.value })}
            />
            <TextInput
              aria-label="MTU of the pods"
              leftSection={<span className={classes.prefix}>MTU</span>}
              leftSectionWidth={54}
              placeholder="default"
              value={mtu}
              disabled={noMtu !== null && mtu === ''}
              onChange={(event) => change(index, { mtu: event.currentTarget.value })}
            />
          </div>
        )
      })}
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={arms.length >= MOST_ARMS}
          onClick={() => onChange([...arms, { bigTcp: true, limit: '', mtu: '', ...arms.at(-1) }])}
        >
          Add an arm
        </Button>
      </div>
      {[...whys].map((why) => (
        <p key={why} className={classes.why}>
          {why}
        </p>
      ))}
    </div>
  )
}
