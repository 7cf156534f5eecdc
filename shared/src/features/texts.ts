/** The texts of the features' tables, for the translators: many are composed, so no literal in the code has them. */
import { abouts } from './abouts.ts'
import { capabilityName, knownCapabilities } from './capabilities.ts'
import { allBenchmarks, allMetrics, benchmarkKind } from './metrics.ts'
import { allSettings } from './settings.ts'

/** In English, without symbols and units, which are the same in each language. `web/lingui.config.js` collects them. */
export function textsOfTables(): ReadonlySet<string> {
  const texts = [
    ...allMetrics().flatMap(({ name, short, noun, head = short, words, axis }) => {
      const of = /(?<=instructions )per .*/.exec(noun)?.[0] ?? null
      return [name, short, noun, of, head, words.more, words.less, axis.title, axis.unit]
    }),
    ...allBenchmarks().flatMap((tool) => [tool.name, tool.does, benchmarkKind(tool, {}).caption]),
    ...knownCapabilities().map(capabilityName),
    ...abouts.all().flatMap(({ name, without = {}, onCluster = {} }) => {
      return [name, ...Object.values(without), ...Object.values(onCluster)]
    }),
    ...allSettings().map(({ label }) => label),
  ]
  return new Set(texts.flatMap((text) => (text !== null && /[a-z]{3}/.test(text) ? [text] : [])))
}
