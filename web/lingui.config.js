/** Lingui collects the page's texts from the code into `languages/`. */
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-json'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/languages/{locale}',
      include: ['<rootDir>/src', '<rootDir>/../shared/src'],
    },
  ],
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
  runtimeConfigModule: { Trans: ['#language', 'Trans'] },
})
