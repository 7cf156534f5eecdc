import { switchedSize } from '@expresslane/shared/testbed/reading'
import { familyName, formatCount } from '@expresslane/shared/measure/units'
import { observeIntent, observePath } from '../expectations.ts'
import { ownSizes, settable } from '../own-sizes.ts'
import { judge, type Act } from '../performance.ts'

/** Remembers what was there, switches the family on, and reads it back. */
export const enable: Act<'enable'> = async ({ family }, performance) => {
  const { testbed, snapshot } = performance
  const before = await testbed.readDatapath(performance)
  snapshot.keep(before.intended)
  const datapath = await testbed.setDatapath({ [family]: true, ...settable(testbed, ownSizes) }, performance)
  performance.emit({ type: 'datapath.read', datapath })
  const observations = [...observeIntent(datapath, family, 'on'), ...observePath(datapath, family, { nodes: 'on' })]
  const size = switchedSize(datapath)
  return judge(
    observations,
    `BIG TCP is on for ${familyName[family]}: the nodes' limit is ${size === null ? 'unknown' : formatCount(size)} bytes. Running pods keep theirs.`,
    (wrong) => `BIG TCP did not take everywhere: ${wrong} of ${observations.length} layers and devices say otherwise.`,
  )
}
