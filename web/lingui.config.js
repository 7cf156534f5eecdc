/** Lingui collects the page's texts from the code into `languages/`. */
import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-json'
import { textsOfTables } from '../shared/src/features/texts.ts'

/** Texts of finished tables: many are composed, so no literal in the code has them. */
const tables = {
  /** @param {string} file */
  match: (file) => file.endsWith('/shared/src/features/texts.ts'),
  /** @type {import('@lingui/conf').ExtractorType['extract']} */
  extract(file, _code, found) {
    for (const id of textsOfTables()) found({ id, origin: [file, 1] })
  },
}

export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/languages/{locale}',
      include: ['<rootDir>/src', '<rootDir>/../shared/src'],
    },
  ],
  extractors: [tables, babel],
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
  runtimeConfigModule: { Trans: ['#language', 'Trans'] },
})
