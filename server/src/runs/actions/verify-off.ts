import type { Observation } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { familyName } from '@expresslane/shared/measure/units'
import { observeIntent, observePath } from '../expectations.ts'
import { observeOwnSizes, ownSizes, settable } from '../own-sizes.ts'
import { judge, readPath, type Act } from '../performance.ts'

/** All layers must say "off"; with `switchOff` a testbed that is on is switched off first. */
export const verifyOff: Act<'verify-off'> = async ({ family }, performance) => {
  const { testbed, snapshot, params } = performance
  const observe = (state: DatapathState): Observation[] => [
    ...observeIntent(state, family, 'off'),
    ...observePath(state, family, { nodes: 'off' }),
    ...observeOwnSizes(state),
  ]
  let datapath = await readPath(performance)
  // Also where only the kernel is on: someone has set the devices by hand.
  if (params.switchOff === true && observe(datapath).some((one) => !one.ok)) {
    snapshot.keep(datapath.intended)
    datapath = await testbed.setDatapath({ [family]: false, ...settable(testbed, ownSizes) }, performance)
    performance.emit({ type: 'datapath.read', datapath })
  }
  const observations = observe(datapath)
  const name = familyName[family]
  return judge(
    observations,
    `BIG TCP is off for ${name}, in every layer.`,
    (wrong) => `BIG TCP is not off for ${name}: ${wrong} of ${observations.length} layers and devices say otherwise.`,
  )
}
