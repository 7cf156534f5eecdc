/** Labs in other languages: a translation changes the texts of a lab, and nothing else. Pure. */
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import type { LabFile } from './folder.ts'

/** The parts of a lab that are texts for people. */
const texts = new Set('title question summary label note notes prose hint actionLabel under'.split(' '))

/** The first place where two labs differ besides their texts, such as `steps.3.action.arm`; null for none. */
function differenceIn(one: unknown, other: unknown, path: string): string | null {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    return one === other ? null : path
  }
  const entries = new Map<string, unknown>(Object.entries(one))
  const others = new Map<string, unknown>(Object.entries(other))
  for (const key of new Set([...entries.keys(), ...others.keys()])) {
    if (texts.has(key)) continue
    const found = differenceIn(entries.get(key), others.get(key), path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

export interface Translations {
  readonly problems: readonly LabProblem[]
  /** The labs in a language; those that have no translation as they are. @param language null for their own */
  in(labs: readonly ListedLab[], language: string | null): readonly ListedLab[]
}

/**
 * @param files of all folders
 * @param labs the labs that the files translate
 */
export function readTranslations(files: readonly LabFile[], labs: readonly ListedLab[]): Translations {
  const problems: LabProblem[] = []
  const byLanguage = new Map<string, Map<string, Lab>>()
  const originals = new Map(labs.map((lab) => [lab.id, lab]))
  for (const { language, labs: translated, name } of files) {
    if (language === null) continue
    const say = (message: string): void => void problems.push({ file: name, line: 1, column: 1, message })
    for (const { lab } of translated) {
      const original = originals.get(lab.id)
      if (original === undefined) {
        say(`there is no lab "${lab.id}" to translate: expected the name of its file with .${language} before .md`)
        continue
      }
      const { origin: _origin, file, ...own } = original
      const difference = differenceIn(own, lab, '')
      if (difference === null)
        byLanguage.set(language, (byLanguage.get(language) ?? new Map<string, Lab>()).set(lab.id, lab))
      else say(`${difference} of "${lab.id}" differs from ${file ?? 'its lab'}: a translation changes texts alone`)
    }
  }
  return {
    problems,
    in(all, language) {
      const known = byLanguage.get(language ?? '')
      return known === undefined ? all : all.map((lab) => ({ ...lab, ...known.get(lab.id) }))
    },
  }
}
