import { i18n } from '@expresslane/shared/base/language'
import { settingsForAllArms } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { SelectField } from '../components/select-field.tsx'
import { optionsOf } from '../words/settings.ts'
import classes from './experiment-view.module.css'
import { SettingExplained } from './setting-explained.tsx'

interface CommonSettingsProps {
  /** The lab's feature. */
  feature: string
  /** Null before it is read. */
  testbed: TestbedView | null
  chosen: Settings
  onChange: (chosen: Settings) => void
  disabled: boolean
}

/** Settings that all arms of an experiment share. A setting that the testbed can't set shows why. */
export function CommonSettings({ feature, testbed, chosen, onChange, disabled }: CommonSettingsProps) {
  return settingsForAllArms(feature).map((setting) => {
    const { id, label, off, capability } = setting
    const options = optionsOf(setting, testbed?.choices ?? {})
    if (options.length === 0) return null
    const missing = capability !== null && testbed !== null && !testbed.capabilities.includes(capability)
    const reason = testbed?.lacks.find((one) => one.capability === capability)?.reason ?? null
    const value = chosen[id] ?? off
    return (
      <div key={id} className={`${classes.common} stack tight`}>
        <SelectField
          label={i18n.t(label)}
          value={`${options.findIndex(([one]) => one === value)}`}
          options={options.map(([, text], index) => [`${index}`, i18n.t(text)])}
          disabled={disabled || missing}
          onChange={(index) => onChange({ ...chosen, [id]: options[Number(index)]?.[0] ?? off })}
        />
        {missing && reason !== null && <p className="muted">{i18n.t(reason)}</p>}
        <SettingExplained setting={setting} />
      </div>
    )
  })
}
