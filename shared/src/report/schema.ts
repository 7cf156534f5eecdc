/** The published schema of the JSON report, for scripts that check exported files. */
import { z } from 'zod'
import { report, REPORT_VERSION } from './model.ts'

/** JSON Schema 2020-12, generated from the schema that the reports are written with. */
export function reportJsonSchema(): object {
  return {
    ...z.toJSONSchema(report, { target: 'draft-2020-12', io: 'output' }),
    title: `Expresslane report, version ${REPORT_VERSION}`,
  }
}
