/** The figures, in the order of the table. */
import { attackFigures } from './attacks/attack-figures.ts'
import { apiServerFigures } from './api-server/api-server.ts'
import { killed } from './ends/killed.ts'
import { simultaneousStarts } from './ends/simultaneous-starts.ts'
import { terminated } from './ends/terminated.ts'
import type { Figure } from './figure.ts'
import { badInputs } from './inputs/bad-inputs.ts'
import { imports } from './imports/imports.ts'
import { soak } from './soak/soak.ts'

export const figures: readonly Figure[] = [
  // One a line: several people add to them.
  killed,
  terminated,
  simultaneousStarts,
  imports,
  badInputs,
  soak,
  ...attackFigures,
  ...apiServerFigures,
]
