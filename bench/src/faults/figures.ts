/** The figures, in the order of the table. */
import { apiServerFigures } from './api-server/api-server.ts'
import { auditFlood } from './attacks/audit-flood.ts'
import { costlyReads } from './attacks/costly-reads.ts'
import { diskFiller } from './attacks/disk-filler.ts'
import { laneHoarder } from './attacks/lane-hoarder.ts'
import { pipeliningStranger, pipeliningViewer } from './attacks/pipelining.ts'
import { killed } from './ends/killed.ts'
import { simultaneousStarts } from './ends/simultaneous-starts.ts'
import { stopped, terminated } from './ends/terminated.ts'
import type { Figure } from './figure.ts'
import { badInputs } from './inputs/bad-inputs.ts'
import { imports } from './imports/imports.ts'
import { soak } from './soak/soak.ts'

export const figures: readonly Figure[] = [
  // A line for each figure, because several people add figures.
  killed,
  terminated,
  stopped,
  simultaneousStarts,
  imports,
  badInputs,
  soak,
  pipeliningStranger,
  pipeliningViewer,
  costlyReads,
  laneHoarder,
  diskFiller,
  auditFlood,
  ...apiServerFigures,
]
