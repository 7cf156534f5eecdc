/** The lab "How many services?" without a browser, from its first step to its last. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult, type LabResult } from '@expresslane/shared/wire/headless'
import type { ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { expect } from 'vitest'
import { dataFolder, lab } from './lab-process.ts'

/** Making 5,000 services of both families takes some seconds on a quiet machine. */
export const LAB_TIMEOUT = { timeout: 600_000 }

const cases = ['one', 'hundred', 'thousand', 'five-thousand']

/** Runs it with one short run of each point. @returns the result, and all that it printed */
export async function runServicesLab(): Promise<{ result: LabResult; err: string }> {
  const data = await dataFolder()
  const file = join(data, 'result.json')
  const { code, err } = await lab(data, ['nodeport-services', '--repeats', '1', '--duration', '0.5', '--json', file])
  expect(err).toContain('8. Restore')
  expect(code, err.slice(-4_000)).toBe(0)
  return { result: labResult.parse(JSON.parse(await readFile(file, 'utf8'))), err }
}

/** Every point was measured, by the arm's own hook and no other, with as many services as its case says. */
export function expectAllPoints({ arms, comparisons }: LabResult, hooks: readonly ForwardingHook[]): void {
  expect(arms.map((arm) => `${arm.case} ${arm.id}`)).toEqual(
    cases.flatMap((one) => hooks.map((hook) => `${one} ${hook}`)),
  )
  for (const { id, case: of, measurements } of arms) {
    const [taken] = measurements
    expect(measurements).toHaveLength(1)
    const services = [1, 100, 1_000, 5_000][cases.indexOf(of)]
    expect(taken?.fingerprint?.settings).toMatchObject({ 'nodeport-hook': id, 'nodeport-services': services })
    expect(taken?.values).toMatchObject({ hookShare: 1, elsewhere: 0 })
    expect(taken?.values['rulesLoadMs']).toBeGreaterThan(0)
  }
  expect(comparisons).toHaveLength(cases.length * (hooks.length - 1))
}
