import { whyLacking } from '@expresslane/shared/features/capabilities'
import { isInTheWay, type Check } from '@expresslane/shared/testbed/testbed'
import type { Perform } from '../perform/step-context.ts'

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Runs the testbed's checks. The step fails if a check blocks the lab, or the testbed lacks a capability that the lab needs. */
export const preflight: Perform<'preflight'> = async (_action, context) => {
  const checks: Check[] = []
  for await (const check of context.testbed.preflight(context, true)) {
    checks.push(check)
    context.emit({ type: 'preflight.checked', check })
  }
  const blocking = checks.filter((check) => isInTheWay(check, context.lab.needs))
  const warnings = checks.filter((check) => check.status === 'warning').length
  const first = blocking[0]
  if (first !== undefined) {
    const sentence = `This lab can't run here yet: ${plural(blocking.length, 'check')} failed. The first is “${first.title}”.`
    const remedy = first.remedy === null ? {} : { hint: first.remedy }
    return { passed: false, sentence, observations: [], ...remedy }
  }
  const [lacking] = context.lab.needs.flatMap((need) => whyLacking(need, context.testbed.primitives) ?? [])
  if (lacking !== undefined) {
    const sentence = `This lab can't run here: ${lacking}`
    return { passed: false, sentence, observations: [], hint: 'Choose another lab or another testbed.' }
  }
  context.emit({ type: 'facts.read', facts: await context.testbed.facts(context) })
  const caution = warnings === 0 ? '' : `, with ${plural(warnings, 'warning')}`
  return {
    passed: true,
    sentence: `The lab can run here: ${plural(checks.length, 'check')} done${caution}.`,
    observations: [],
  }
}
