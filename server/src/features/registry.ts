/** The server's half of all features. A new one is a folder beside this file and a line here. */
import { bigTcp } from './big-tcp/feature.ts'
import type { ServerFeature } from './feature.ts'

export const serverFeatures = [bigTcp] as const satisfies readonly ServerFeature[]
