import { i18n } from '@expresslane/shared/base/language'
import { SelectField } from '../../components/select-field.tsx'

const speeds = [1, 2, 5, 10, 20]

interface RecordingSpeedProps {
  speed: number
  onChange: (speed: number) => void
  disabled: boolean
}

/** Chooses the playback speed of a recorded step. */
export function RecordingSpeed({ speed, onChange, disabled }: RecordingSpeedProps) {
  return (
    <SelectField
      label={i18n.t('Speed')}
      value={`${speed}`}
      options={speeds.map((one) => [`${one}`, one === 1 ? i18n.t('1×, original speed') : `${one}×`])}
      onChange={(picked) => onChange(Number(picked))}
      disabled={disabled}
    />
  )
}
