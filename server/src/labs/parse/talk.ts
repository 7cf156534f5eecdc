/** The plan for a presenter in a step's `yaml talk` block: minutes, autopilot's pause, and a question to the room. */
import { step, type Step } from '@expresslane/shared/labs/lab'
import type { Code } from 'mdast'
import { z } from 'zod'
import { checked } from './explain.ts'
import { flaw, unlessFlawed, type Flaw } from './place.ts'
import { readYaml, startOf } from './sections.ts'
import { fillData, type Variables } from './variables.ts'

/** The most characters of a step's speaker's notes. */
export const MAX_NOTES = 4_000

export type TalkPlan = Pick<Step, 'minutes' | 'pauseSeconds' | 'question'>

export const noPlan: TalkPlan = { minutes: null, pauseSeconds: null, question: null }

const fields = z.strictObject({
  minutes: step.shape.minutes.unwrap().unwrap().optional(),
  /** In seconds. */
  pause: step.shape.pauseSeconds.unwrap().unwrap().optional(),
  question: z.string().trim().min(1).max(200).optional(),
})

/** Reads a `yaml talk` block. Problems are added to `flaws`. */
export function readTalkPlan(node: Code, variables: Variables, flaws: Flaw[]): TalkPlan {
  const yaml = readYaml(node, flaws)
  if (yaml === null) return noPlan
  if (yaml.value === null) {
    flaws.push(flaw(startOf(node), 'expected minutes, pause or question'))
    return noPlan
  }
  const filled = fillData(yaml.value, variables, (path, message) => flaws.push(flaw(yaml.placeOf(path), message)))
  const result = unlessFlawed(checked(fields, filled, yaml), flaws)
  if (result === null) return noPlan
  const { minutes = null, pause = null, question = null } = result.data
  return { minutes, pauseSeconds: pause, question }
}
