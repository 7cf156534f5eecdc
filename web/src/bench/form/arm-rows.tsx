import type { Feature } from '@expresslane/shared/features/feature'
import { counts } from '@expresslane/shared/features/settings'
import type { Settings, SettingValue } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { SelectField } from '../../components/select-field.tsx'
import { SettingExplained } from '../../experiment/index.ts'
import { armLook } from '../../theme.ts'
import { armPlans, MOST_ARMS } from './arm-choice.ts'
import classes from './bench-form.module.css'
import { controlsOf, isRefused, refusalsOf, type Chosen, type SettingControl, type WhyNot } from './setting-controls.ts'

interface ArmRowsProps {
  feature: Feature
  families: readonly Family[]
  arms: readonly Chosen[]
  onChange: (arms: Chosen[]) => void
  whyNot: WhyNot
}

/** The arms. The others are compared with the first. */
export function ArmRows({ feature, families, arms, onChange, whyNot }: ArmRowsProps) {
  const { arms: named } = armPlans(feature, arms, families)
  const controls = controlsOf(feature)
  const change = (index: number, label: string, value: SettingValue): void =>
    onChange(arms.map((one, place) => (place === index ? { ...one, [label]: value } : one)))
  const whys = refusalsOf(controls, whyNot)
  return (
    <div className={classes.arms}>
      {arms.map((chosen, index) => {
        const { id = '', label: name = '', settings = {} } = named[index] ?? {}
        return (
          // An arm has no id other than its index.
          <div
            key={index}
            className={classes.arm}
            data-hue={armLook(id, index).hue}
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
            {index === 0 && arms.length > 1 && (
              <p className={classes.against}>The other arms are compared with this one.</p>
            )}
            {controls.map((control) => (
              <SettingField
                key={control.label}
                of={control}
                chosen={chosen[control.label]}
                settings={settings}
                whyNot={whyNot}
                onChange={(value) => change(index, control.label, value)}
              />
            ))}
          </div>
        )
      })}
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={arms.length >= MOST_ARMS}
          onClick={() => onChange([...arms, { ...arms.at(-1) }])}
        >
          Add an arm
        </Button>
      </div>
      {feature.settings.map((setting) => (
        <SettingExplained key={setting.id} setting={setting} />
      ))}
      {whys.map((why) => (
        <p key={why} className={classes.why}>
          {why}
        </p>
      ))}
    </div>
  )
}

interface SettingFieldProps {
  of: SettingControl
  chosen: SettingValue | undefined
  /** The current settings of the arm. */
  settings: Settings
  whyNot: WhyNot
  onChange: (value: SettingValue) => void
}

function SettingField({ of: { label, settings: of }, chosen, settings, whyNot, onChange }: SettingFieldProps) {
  const [setting] = of
  const { control, off } = setting
  const refused = isRefused(setting, whyNot)
  switch (control.kind) {
    case 'switch':
      return (
        <Checkbox label={label} checked={chosen === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      )
    case 'choice':
      return (
        <div className={classes.wide}>
          <SelectField
            label={label}
            value={`${control.options.findIndex(([value]) => value === (chosen ?? off))}`}
            options={control.options.map(([value, text], index) => [`${index}`, text, whyNot(setting, value) !== null])}
            disabled={refused && (chosen ?? off) === off}
            onChange={(index) => onChange(control.options[Number(index)]?.[0] ?? off)}
          />
        </div>
      )
    case 'text': {
      const idle = !counts(setting, settings)
      const text = `${chosen ?? ''}`
      return (
        <TextInput
          aria-label={label}
          leftSection={<span className={classes.prefix}>{control.prefix}</span>}
          leftSectionWidth={Math.max(54, 16 + 9 * control.prefix.length)}
          placeholder={idle ? (control.idlePlaceholder ?? control.placeholder) : control.placeholder}
          value={idle ? '' : text}
          disabled={idle || (refused && text === '')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    }
  }
}
