/** All features. A new feature is a folder next to this file and an entry here. */
import { bigTcp } from './big-tcp/feature.ts'
import type { Feature } from './feature.ts'

export const features = [bigTcp] as const satisfies readonly Feature[]
