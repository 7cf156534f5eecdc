/** A participant who repeats the reads that cost the server most. */
import { recordedSession } from './recorded-session.ts'
import { attackFigure } from './attack-figure.ts'
import type { Figure } from '../figure.ts'
import { askAs } from './room.ts'
import { get } from './task.ts'

/** As many as a person's pages open; more would only be idle connections. */
const CONNECTIONS = 34
const EACH = 6

export const costlyReads: Figure = attackFigure({
  name: 'costly-reads',
  what: `A participant has ${CONNECTIONS * EACH} costly reads outstanding: labs, the API’s description, a report, testbeds`,
  role: 'participant',
  requests: { short: 1000, long: 30_000 },
  async prepare({ app, attacker }) {
    const session = await recordedSession(app, attacker)
    const paths = ['/api/labs', '/api/openapi.json', `/api/sessions/${session}/report?format=html`, '/api/testbeds']
    // Everybody's page reads each of them when it opens.
    for (const path of [...paths, ...paths]) await askAs(app, attacker.key, get(path))
    return { messages: paths.map(get), connections: CONNECTIONS, each: EACH, everyMs: 0 }
  },
})
