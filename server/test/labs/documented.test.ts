/** docs/writing-labs.md names all that a lab can use of each feature. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '@expresslane/shared/features/registry'
import { describe, expect, it } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../../docs/writing-labs.md'), 'utf8')
const section = page.slice(page.indexOf('### Features'), page.indexOf('### Steps'))

describe.each(features.all().map((one) => [one.id, one] as const))('%s', (id, feature) => {
  const [part = ''] = section.split('\n- ').filter((text) => text.startsWith(`**\`${id}\`**`))

  it.each([
    ['capabilities', feature.capabilities.map((one) => one.id)],
    ['settings', feature.settings.map((one) => one.id)],
    ['tools', feature.benchmarks.map(({ tool }) => tool)],
    ['probes', (feature.probes ?? []).map((one) => one.id)],
  ])('its %s', (_kind, names) => {
    expect(names.filter((name) => !part.includes(`\`${name}\``))).toEqual([])
  })
})
