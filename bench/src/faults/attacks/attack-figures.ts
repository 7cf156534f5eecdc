/** The figures about the limits of one person in a room. */
import type { Figure } from '../figure.ts'
import { auditFlood } from './audit-flood.ts'
import { costlyReads } from './costly-reads.ts'
import { diskFiller } from './disk-filler.ts'
import { laneHoarder } from './lane-hoarder.ts'
import { pipeliningStranger, pipeliningViewer } from './pipelining.ts'

export const attackFigures: readonly Figure[] = [
  pipeliningStranger,
  pipeliningViewer,
  costlyReads,
  laneHoarder,
  diskFiller,
  auditFlood,
]
