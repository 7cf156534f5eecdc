/** All features. A new one is a folder beside this file and a line here. */
import { bigTcp } from './big-tcp/feature.ts'
import type { Feature } from './feature.ts'

export const features = [bigTcp] as const satisfies readonly Feature[]
