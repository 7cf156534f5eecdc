/** Lingui collects the page's texts from the code into `languages/`. */
import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-json'
import { allBenchmarks, allMetrics } from '../shared/src/features/metrics.ts'

/**
 * Names of metrics and tools: many are composed, so no literal in the code has them.
 *
 * @type {import('@lingui/conf').ExtractorType}
 */
const finished = {
  match: (file) => file.endsWith('/shared/src/features/metrics.ts'),
  extract(file, _code, found) {
    const texts = [
      ...allMetrics().flatMap(({ name, short, noun, head, words, axis }) => [
        name,
        short,
        noun,
        head ?? short,
        words.more,
        words.less,
        axis.title,
      ]),
      ...allBenchmarks().flatMap(({ name, does, caption }) => [name, does, caption]),
    ]
    // Symbols and units are the same in each language.
    for (const id of new Set(texts.filter((text) => /[a-z]{3}/.test(text)))) found({ id, origin: [file, 1] })
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
  extractors: [finished, babel],
  format: formatter({ style: 'minimal' }),
  orderBy: 'messageId',
  runtimeConfigModule: { Trans: ['#language', 'Trans'] },
})
