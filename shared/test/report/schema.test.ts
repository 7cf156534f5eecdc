/** `docs/report-schema.json` is what the schema generates. After a change: `vitest run shared/test/report/schema.test.ts -u`. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportJsonSchema } from '../../src/report/model.ts'

it('is published unchanged in docs', async () => {
  const committed = join(import.meta.dirname, '../../../docs/report-schema.json')
  const $comment = 'Generated. Do not edit: vitest run -u --project=shared test/report/schema.test.ts'
  const schema = { $comment, ...reportJsonSchema() }
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(committed)
})
