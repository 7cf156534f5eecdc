import { knownCapabilities, whyLacking } from '@expresslane/shared/features/capabilities'
import type { LabTestbed } from '../perform/perform.ts'

/** The offer of a testbed that a page shows besides its readings; empty if the testbed could not be made. */
export function offerOf(testbed: LabTestbed | null) {
  const { primitives = null, choices = [], labs = null, placements = [] } = testbed ?? {}
  const can = (primitives === null ? [] : knownCapabilities()).map((capability) => ({
    capability,
    reason: primitives === null ? null : whyLacking(capability, primitives),
  }))
  return {
    capabilities: can.flatMap(({ capability, reason }) => (reason === null ? capability : [])),
    lacks: can.flatMap(({ capability, reason }) => (reason === null ? [] : { capability, reason })),
    choices: Object.fromEntries([...choices].map(([setting, values]) => [setting, [...values]])),
    labs: labs === null ? null : [...labs],
    placements: [...placements],
  }
}
