/** Reads a folder's glossary: a list of terms. Pure. */
import { glossary, type GlossaryTerm } from '@expresslane/shared/labs/glossary'
import { checked } from './explain.ts'
import { parseYaml } from './located-yaml.ts'
import { flaw, unlessFlawed, type Flaw } from './place.ts'

/** The name of the file. */
export const GLOSSARY = 'glossary.yaml'

/** @param text the file's content. Problems are added to `flaws` */
export function readTerms(text: string, flaws: Flaw[]): GlossaryTerm[] {
  const yaml = unlessFlawed(parseYaml(text, { line: 1, column: 1 }), flaws)?.yaml
  if (yaml === undefined) return []
  const terms = unlessFlawed(checked(glossary, yaml.value, yaml), flaws)?.data ?? []
  const known = new Set<string>()
  for (const [index, { term, aliases }] of terms.entries()) {
    for (const one of [term, ...aliases]) {
      if (known.has(one)) flaws.push(flaw(yaml.placeOf([index]), `"${one}" is explained a second time`))
      known.add(one)
    }
  }
  return terms
}
