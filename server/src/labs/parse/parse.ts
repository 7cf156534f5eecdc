/** Parses a lab's Markdown into labs, or into a list of problems. Pure, and safe for any file content. */
import { checkedLab } from '@expresslane/shared/labs/checked'
import type { GlossaryTerm } from '@expresslane/shared/labs/glossary'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import { crossCheck } from './cross-check.ts'
import { excessIn } from './excess.ts'
import { checked } from './explain.ts'
import { readLabFields, readVariants, type LabFields, type Variant } from './front-matter.ts'
import { GLOSSARY, readTerms } from './glossary.ts'
import type { Located, Path } from './located-yaml.ts'
import { flaw, sorted, unlessFlawed, type Flaw } from './place.ts'
import { readYaml, sectionsOf, type Section, type Sections } from './sections.ts'
import { readStep, type ReadStep } from './step.ts'

/** Enough for a lesson of some hours. A parser's time grows with the text. */
export const MAX_LAB_CHARACTERS = 64 * 1024
const MAX_STEPS = 40
/** A file can have ten thousand problems; these are enough to begin with. */
const MAX_PROBLEMS = 100

const FILE_ID = /^[a-z][a-z0-9-]{0,40}$/

export interface OrderedLab {
  readonly lab: Lab
  /** The order in the catalogue; null if the lab names none. */
  readonly order: number | null
}

export interface ParsedLabs {
  /** Empty if there is any problem. */
  readonly labs: readonly OrderedLab[]
  /** The terms of a glossary file; empty if the file has a problem. */
  readonly terms?: readonly GlossaryTerm[] | undefined
  readonly problems: readonly LabProblem[]
}

const start = { line: 1, column: 1 }
const none = { labs: [] }

/**
 * Parses one file.
 *
 * @param id the file's name without `.md`: the lab's id, or how the ids of its variants begin; `glossary.yaml` for a glossary
 * @param text the file's content
 * @param file the file's name in problems
 */
export function parseLab(id: string, text: string, file: string): ParsedLabs {
  const flaws: Flaw[] = []
  let read: Pick<ParsedLabs, 'labs' | 'terms'> = none
  try {
    if (text.length > MAX_LAB_CHARACTERS) {
      flaws.push(flaw(start, `expected at most ${MAX_LAB_CHARACTERS} characters, found ${text.length}`))
    } else if (id === GLOSSARY) read = { labs: [], terms: readTerms(text, flaws) }
    else read = { labs: readLabs(id, text, flaws) }
  } catch (error) {
    // The parsers are recursive, and fail on text that is nested too deeply.
    const message = error instanceof Error ? error.message : String(error)
    flaws.push(flaw(start, `this file can't be parsed: ${message}`))
  }
  const problems = sorted(flaws)
    .slice(0, MAX_PROBLEMS)
    .map((one) => ({ file, ...one }))
  return { ...(problems.length === 0 ? read : none), problems }
}

function readLabs(id: string, text: string, flaws: Flaw[]): OrderedLab[] {
  if (!FILE_ID.test(id)) {
    flaws.push(
      flaw(start, `expected a file name of lowercase letters, digits and dashes, found "${id.slice(0, 80)}.md"`),
    )
    return []
  }
  const source = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const excess = excessIn(source)
  if (excess !== null) {
    flaws.push(excess)
    return []
  }
  const sections = sectionsOf(source)
  for (const one of sections.flaws) flaws.push(one)
  const yaml = readFrontMatter(sections, flaws)
  if (sections.sections.length === 0) flaws.push(flaw(start, 'expected at least one step: ## Title {#id}'))
  if (sections.sections.length > MAX_STEPS) flaws.push(flaw(start, `expected at most ${MAX_STEPS} steps`))
  if (yaml === null || sections.sections.length > MAX_STEPS) return []
  return readVariants(yaml, flaws).flatMap((variant) => {
    const fields = readLabFields(yaml, variant, flaws)
    return readVariant(id, fields, variant, { yaml, sections: sections.sections, source }, flaws)
  })
}

function readFrontMatter({ frontMatter }: Sections, flaws: Flaw[]): Located | null {
  if (frontMatter === null) {
    flaws.push(flaw(start, 'expected front matter: YAML between two lines of --- at the top of the file'))
    return null
  }
  const yaml = readYaml(frontMatter, flaws)
  if (yaml === null) return null
  if (typeof yaml.value === 'object' && yaml.value !== null && !Array.isArray(yaml.value)) return yaml
  flaws.push(flaw(start, 'expected keys and values in the front matter: title, question, summary, ...'))
  return null
}

interface Parts {
  readonly yaml: Located
  readonly sections: readonly Section[]
  readonly source: string
}

function readVariant(
  id: string,
  fields: LabFields | null,
  variant: Variant,
  parts: Parts,
  flaws: Flaw[],
): OrderedLab[] {
  const steps = parts.sections.map((section) =>
    readStep(section, { source: parts.source, variables: variant.variables, arms: fields?.arms ?? null }, flaws),
  )
  if (fields === null) return []
  const { order = null, ...rest } = fields
  const made = {
    ...rest,
    id: variant.name === null ? id : `${id}-${variant.name}`,
    listed: true,
    steps: steps.map(({ step }) => step),
  }
  crossCheck(made, parts.yaml, steps, flaws)
  if (flaws.length > 0) return []
  const whole = unlessFlawed(checked(checkedLab, made, locateLab(parts.yaml, steps)), flaws)
  return whole === null ? [] : [{ lab: whole.data, order }]
}

/** Positions of the lab's parts: in the actions of its steps, otherwise in the front matter. */
function locateLab(frontMatter: Located, steps: readonly ReadStep[]): Located {
  function actionAt([first, index, field, ...rest]: Path): { yaml: Located; path: Path } | null {
    const yaml = first === 'steps' && field === 'action' ? steps[Number(index)]?.yaml : null
    return yaml === null || yaml === undefined ? null : { yaml, path: rest }
  }
  return {
    value: null,
    placeOf(path) {
      const inAction = actionAt(path)
      if (inAction !== null) return inAction.yaml.placeOf(inAction.path)
      return (path[0] === 'steps' ? steps[Number(path[1])]?.at : null) ?? frontMatter.placeOf(path)
    },
    placeOfKey(path, key) {
      const inAction = actionAt(path)
      return inAction === null ? frontMatter.placeOfKey(path, key) : inAction.yaml.placeOfKey(inAction.path, key)
    },
  }
}
