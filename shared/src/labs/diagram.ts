/** A picture of a packet's way, as data. The page draws it under one arm at a time. */
import { z } from 'zod'
import { armId } from '../measure/measurement.ts'

const words = z.string().trim().min(1).max(80)

/** A place on the way. */
const node = z.strictObject({
  label: words,
  note: words.optional(),
  /** Whether the lab's setting changes it. */
  switched: z.boolean().default(false),
  /** The arms under which a packet does not see it. */
  skippedBy: z.array(armId).default([]),
  /** What happens to the packet there, by arm. */
  under: z.record(armId, words).default({}),
})

export const diagram = z.strictObject({
  title: z.string().trim().min(1).max(120),
  /** The arms to show the way under. Where the path's settings fit several, the last counts. */
  arms: z.array(armId).min(1).max(8),
  /** In the order of a packet. */
  nodes: z.array(node).min(2).max(12),
})
export type Diagram = z.infer<typeof diagram>
