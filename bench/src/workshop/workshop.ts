/** The figures of a full room, in the order of the README's table. */
import type { Bench, Row } from '../support/table.ts'
import { firstPaint } from './first-paint.ts'
import { followers } from './followers.ts'
import { participants } from './participants.ts'
import { watched } from './watched.ts'

/** Needs an app in workshop mode. */
export const workshop: Bench = async (app) => {
  const rows: Row[] = []
  rows.push(...(await followers()))
  rows.push(...(await watched(app)))
  rows.push(...(await participants()))
  rows.push(...(await firstPaint(app)))
  return rows
}
