import type { Family } from '@expresslane/shared/measure/units'
import { observeIntent, observePath } from '../expectations.ts'
import { observeOwnSizes, ownSizes, settable } from '../own-sizes.ts'
import { judge, readPath, type Finding, type Performance } from '../performance.ts'

const families: readonly Family[] = ['ipv4', 'ipv6']

/**
 * Puts back the settings that were there before the first change and removes the pods.
 * The snapshot is forgotten only once the kernel has followed, so a failed restore can be
 * run again.
 */
export async function putBack(performance: Performance): Promise<Finding> {
  const { testbed, snapshot } = performance
  const kept = snapshot.read()
  await testbed.remove(performance)
  const setting = kept ?? (await testbed.readDatapath(performance)).intended
  // Also where nothing was kept: a device that somebody set by hand follows the intent again.
  await testbed.setDatapath({ ...setting, ...settable(testbed, ownSizes) }, performance)
  const datapath = await readPath(performance)
  const observations = families.flatMap((family) => {
    const side = setting[family] ? 'on' : 'off'
    const label = (text: string): string => `${family === 'ipv4' ? 'IPv4' : 'IPv6'}, ${text}`
    return [...observeIntent(datapath, family, side), ...observePath(datapath, family, { nodes: side })].map((one) => ({
      ...one,
      label: label(one.label),
    }))
  })
  observations.push(...observeOwnSizes(datapath))
  const pods = datapath.placement === null ? 'none' : 'still there'
  observations.push({ label: 'netperf pods', expected: 'none', seen: pods, ok: datapath.placement === null })
  const finding = judge(
    observations,
    'The testbed is as it was before the lab.',
    (wrong) => `${wrong} of ${observations.length} values are not back yet.`,
  )
  if (finding.passed) snapshot.clear()
  return finding
}
