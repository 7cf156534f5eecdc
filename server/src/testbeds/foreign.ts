import type { Settings } from '@expresslane/shared/measure/settings'
import { LabError } from '@expresslane/shared/wire/errors'

/**
 * Refuses settings that a testbed does not know. Ignoring one would measure an arm that is not what its name says.
 *
 * @param known the ids of the settings that the testbed sets, or keeps off
 * @throws LabError `bad_request` naming the first unknown setting
 */
export function refuseForeign(settings: Settings, known: Iterable<string>): void {
  const ids = new Set(known)
  const foreign = Object.keys(settings).find((id) => !ids.has(id))
  if (foreign === undefined) return
  throw new LabError(
    'bad_request',
    `This testbed has no setting “${foreign}”.`,
    `Leave it out. The testbed's settings are ${[...ids].join(', ')}.`,
  )
}
