import { familyName } from '@expresslane/shared/units'
import { observeIntent, observePath } from '../expectations.ts'
import { judge, readPath, type Act } from '../performance.ts'

/** All layers must say "off"; with `switchOff` a testbed that is on is switched off first. */
export const verifyOff: Act<'verify-off'> = async ({ family }, performance) => {
  const { testbed, snapshot, params } = performance
  let datapath = await readPath(performance)
  if (datapath.intended[family] && params.switchOff === true) {
    snapshot.keep(datapath.intended)
    datapath = await testbed.setDatapath({ [family]: false }, performance)
    performance.emit({ type: 'datapath.read', datapath })
  }
  const observations = [...observeIntent(datapath, family, 'off'), ...observePath(datapath, family, { nodes: 'off' })]
  const name = familyName[family]
  return judge(
    observations,
    `BIG TCP is off for ${name}, in every layer.`,
    (wrong) => `BIG TCP is not off for ${name}: ${wrong} of ${observations.length} layers and devices say otherwise.`,
  )
}
