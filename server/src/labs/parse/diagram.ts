/** Reads a `yaml diagram` block of a step: the way of a packet. */
import { diagram, type Diagram } from '@expresslane/shared/labs/diagram'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Code } from 'mdast'
import { checked } from './explain.ts'
import { expectedOneOf } from './nearest.ts'
import { flaw, unlessFlawed, type Flaw } from './place.ts'
import { readYaml } from './sections.ts'
import { fillData, type Variables } from './variables.ts'

/** Null with problems, which are added to `flaws`. @param arms the lab's; null if they can't be read */
export function readDiagram(
  node: Code,
  arms: readonly ArmPlan[] | null,
  variables: Variables,
  flaws: Flaw[],
): Diagram | null {
  const yaml = readYaml(node, flaws)
  if (yaml === null) return null
  const filled = fillData(yaml.value, variables, (path, message) => flaws.push(flaw(yaml.placeOf(path), message)))
  const read = unlessFlawed(checked(diagram, filled, yaml), flaws)?.data ?? null
  if (read === null || arms === null) return null
  const known = arms.map(({ id }) => id)
  const named = read.nodes.flatMap(({ skippedBy, under }, index) =>
    [...skippedBy, ...Object.keys(under)].map((id) => ({ id, path: ['nodes', index] })),
  )
  for (const { id, path } of [...read.arms.map((arm, index) => ({ id: arm, path: ['arms', index] })), ...named]) {
    if (!known.includes(id))
      flaws.push(flaw(yaml.placeOf(path), `the lab has no arm "${id}": ${expectedOneOf(id, known)}`))
  }
  return read
}
