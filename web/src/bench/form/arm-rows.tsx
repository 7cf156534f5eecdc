import { i18n } from '@expresslane/shared/base/language'
import type { Feature, Setting } from '@expresslane/shared/features/feature'
import { counts } from '@expresslane/shared/features/settings'
import type { Settings, SettingValue } from '@expresslane/shared/base/settings'
import type { Family } from '@expresslane/shared/base/units'
import { Button, Checkbox, IconButton, TextInput } from '../../components/controls.tsx'
import { IconPlus, IconX } from '../../icons.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { SettingExplained } from '../../experiment/index.ts'
import { armLook } from '../../theme.ts'
import { optionsOf, type Choices } from '../../words/settings.ts'
import { armPlans, MOST_ARMS } from './arm-choice.ts'
import classes from './bench-form.module.css'
import { controlsOf, isRefused, refusalsOf, type Chosen, type SettingControl, type WhyNot } from './setting-controls.ts'

interface ArmRowsProps {
  feature: Feature
  families: readonly Family[]
  arms: readonly Chosen[]
  onChange: (arms: Chosen[]) => void
  whyNot: WhyNot
  /** The values that the testbed offers, by setting. */
  choices: Choices
}

/** The arms, all compared with the first. */
export function ArmRows({ feature, families, arms, onChange, whyNot, choices }: ArmRowsProps) {
  const { arms: named } = armPlans(feature, arms, families)
  const controls = controlsOf(feature).filter(
    ({ label, settings: [one] }) =>
      one.control.kind !== 'offered' ||
      (choices[one.id] ?? []).length > 1 ||
      arms.some((arm) => isSet(one, arm[label])),
  )
  const change = (index: number, label: string, value: SettingValue): void =>
    onChange(arms.map((one, place) => (place === index ? { ...one, [label]: value } : one)))
  const whys = refusalsOf(controls, whyNot)
  return (
    <div className="stack">
      {arms.map((chosen, index) => {
        const { id = '', label: name = '', settings = {} } = named[index] ?? {}
        return (
          // An arm has no id other than its index.
          <div
            key={index}
            className={classes.arm}
            data-hue={armLook(id, index).hue}
            role="group"
            aria-label={i18n.t('Arm {number}: {name}', { number: index + 1, name })}
          >
            <div className="row between one-line all-columns">
              <p className="strong">{name}</p>
              <IconButton
                aria-label={i18n.t('Remove arm {number}', { number: index + 1 })}
                disabled={arms.length === 1}
                onClick={() => onChange(arms.filter((_, place) => place !== index))}
              >
                <IconX size={18} />
              </IconButton>
            </div>
            {index === 0 && arms.length > 1 && (
              <p className={`${classes.against} muted all-columns`}>
                {i18n.t('The other arms are compared with this one.')}
              </p>
            )}
            {controls.map((control) => (
              <SettingField
                key={control.label}
                of={control}
                chosen={chosen[control.label]}
                settings={settings}
                whyNot={whyNot}
                choices={choices}
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
          {i18n.t('Add an arm')}
        </Button>
      </div>
      {feature.settings.map((setting) => (
        <SettingExplained key={setting.id} setting={setting} />
      ))}
      {whys.map((why) => (
        <p key={why} className="muted">
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
  choices: Choices
  onChange: (value: SettingValue) => void
}

function isSet({ off }: Setting, chosen: SettingValue | undefined): boolean {
  return chosen !== undefined && chosen !== off
}

function SettingField({ of: { label, settings: of }, chosen, settings, whyNot, choices, onChange }: SettingFieldProps) {
  const [setting] = of
  const { control, off } = setting
  const refused = isRefused(setting, whyNot)
  switch (control.kind) {
    case 'switch':
      return (
        <Checkbox
          label={i18n.t(label)}
          checked={chosen === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
    case 'offered': {
      const known = optionsOf(setting, choices)
      const value = chosen ?? off
      // A value that only another testbed offers stays visible, as in a profile from elsewhere.
      const options = known.some(([one]) => one === value) ? known : [...known, [value, setting.format(value)] as const]
      return (
        <div className="all-columns">
          <SelectField
            label={i18n.t(label)}
            value={`${options.findIndex(([one]) => one === value)}`}
            options={options.map(([one, text], index) => [`${index}`, i18n.t(text), whyNot(setting, one) !== null])}
            disabled={refused && value === off}
            onChange={(index) => onChange(options[Number(index)]?.[0] ?? off)}
          />
        </div>
      )
    }
    case 'text': {
      const idle = !counts(setting, settings)
      const text = `${chosen ?? ''}`
      return (
        <TextInput
          aria-label={i18n.t(label)}
          prefix={i18n.t(control.prefix)}
          placeholder={i18n.t(idle ? (control.idlePlaceholder ?? control.placeholder) : control.placeholder)}
          value={idle ? '' : text}
          disabled={idle || (refused && text === '')}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    }
  }
}
