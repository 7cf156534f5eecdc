import { i18n } from '@expresslane/shared/base/language'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { derived } from '@expresslane/shared/base/registry'
import { features } from '@expresslane/shared/features/registry'
import { capabilityFor } from '@expresslane/shared/features/settings'
import { clockOf } from '@expresslane/shared/measure/clock'
import { family, familyName } from '@expresslane/shared/base/units'
import { Checkbox, TextInput } from '../../components/controls.tsx'
import type { ReactNode } from 'react'
import { SelectField } from '../../components/select-field.tsx'
import { DesignFields } from '../../experiment/index.ts'
import { whyLacking } from '../../words/testbeds.ts'
import { ArmRows } from './arm-rows.tsx'
import classes from './bench-form.module.css'
import {
  featureOf,
  takesSizes,
  toolsOf,
  withFeature,
  withTool,
  type BenchChoice,
  type BenchField,
  type Issue,
} from './choice.ts'
import { controlsOf, refusalsOf, type WhyNot } from './setting-controls.ts'

interface BenchFormProps {
  choice: BenchChoice
  onChange: (choice: BenchChoice) => void
  /** Null before it is read. */
  testbed: TestbedView | null
  issues: readonly Issue[]
}

/** Features with tools. The others only look at a testbed. */
const measuring = derived(() => features.all().filter(({ benchmarks }) => benchmarks.length > 0))

/** The limits of the plan's schema. */
const bounds = { repeats: { default: 8, min: 1, max: 50 }, seconds: { default: 0.5, min: 0.5, max: 120 } }

/** The form of an experiment: benchmark, arms and design. */
export function BenchForm({ choice, onChange, testbed, issues }: BenchFormProps) {
  const { tool, families, sizes, response, arms, design } = choice
  const tools = toolsOf(choice)
  const change = (part: Partial<BenchChoice>): void => onChange({ ...choice, ...part })
  const feature = featureOf(choice)
  const controls = controlsOf(feature)
  const refused: WhyNot = (setting, value) => {
    const need = capabilityFor(setting, value)
    return need === null || testbed === null ? null : whyLacking(need, testbed)
  }
  const explained = refusalsOf(controls, refused)
  const wrong = (field: BenchField): string[] =>
    issues.filter((one) => one.field === field).map(({ message }) => message)
  return (
    <>
      <Block title={i18n.t('Benchmark')} issues={[...wrong('tool'), ...wrong('families')]}>
        <SelectField
          label={i18n.t('Tool')}
          value={tool}
          options={tools}
          onChange={(picked) => {
            const chosen = tools.find(([one]) => one === picked)?.[0]
            if (chosen !== undefined) onChange(withTool(choice, chosen))
          }}
        />
        <div role="group" aria-label={i18n.t('Address families')} className="row apart">
          {family.options.map((one) => (
            <Checkbox
              key={one}
              label={familyName[one]}
              checked={families.includes(one)}
              onChange={(event) => {
                const on = event.currentTarget.checked
                change({ families: family.options.filter((of) => (of === one ? on : families.includes(of))) })
              }}
            />
          ))}
        </div>
        {takesSizes(tool) && (
          <div className={classes.sizes}>
            <TextInput
              label={i18n.t('Request sizes')}
              value={sizes}
              placeholder="1, 16k, 80k"
              error={wrong('sizes').join(' ') || undefined}
              onChange={(event) => change({ sizes: event.currentTarget.value })}
            />
            <TextInput
              label={i18n.t('Response size')}
              value={response}
              placeholder={i18n.t('same as the request')}
              error={wrong('response').join(' ') || undefined}
              onChange={(event) => change({ response: event.currentTarget.value })}
            />
          </div>
        )}
      </Block>
      <Block title={i18n.t('Arms')} issues={wrong('arms').filter((one) => !explained.includes(one))}>
        {measuring().length > 1 && (
          <SelectField
            label={i18n.t('Feature')}
            value={feature.id}
            options={measuring().map(({ id, name }) => [id, name])}
            onChange={(id) => onChange(withFeature(choice, id))}
          />
        )}
        <ArmRows
          feature={feature}
          families={families}
          arms={arms}
          onChange={(next) => change({ arms: next })}
          whyNot={refused}
          choices={testbed?.choices ?? {}}
        />
      </Block>
      <Block title={i18n.t('Design')} issues={wrong('design')}>
        <DesignFields
          design={design}
          onChange={(next) => change({ design: next })}
          bounds={bounds}
          disabled={false}
          clock={clockOf(testbed ?? null)}
          quickSwitch={testbed?.capabilities.includes('quick-switch') ?? true}
        />
      </Block>
    </>
  )
}

function Block({ title, issues, children }: { title: string; issues: readonly string[]; children: ReactNode }) {
  return (
    <fieldset className={`${classes.block} stack`}>
      <legend>{title}</legend>
      {children}
      {issues.map((one) => (
        <p key={one} role="alert" className="bad medium">
          {one}
        </p>
      ))}
    </fieldset>
  )
}
