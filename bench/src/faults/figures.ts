/** The figures, in the order of the table. */
import { apiServerFigures } from './api-server/api-server.ts'
import type { Figure } from './figure.ts'
import { imports } from './imports/imports.ts'
import { simultaneousStarts } from './simultaneous-starts.ts'

export const figures: readonly Figure[] = [simultaneousStarts, imports, ...apiServerFigures]
