/** `npm run lab -- LAB [--testbed KIND] [--context NAME] [--placement VARIANT] [--repeats N] [--duration SECONDS] [--order ORDER] [--warmups N] [--opinion] [--json FILE]`, `rehearse LAB [--testbed KIND] [--context NAME] [--json FILE]`, `check FILE...`, or `--list`. */
import { parseArgs } from 'node:util'
import { LabError } from '@expresslane/shared/wire/errors'
import { stepParams, type StepParams } from '@expresslane/shared/labs/lab'
import { testbedKind, type TestbedKind } from '@expresslane/shared/testbed/testbed'
import { placementVariant } from '@expresslane/shared/testbed/placement'

export const usage =
  'npm run lab -- LAB [--testbed netns|counted|kubernetes] [--context NAME] [--placement other-node] [--repeats N] [--duration SECONDS] [--order interleaved|sequential] [--warmups N] [--opinion] [--json FILE] | rehearse LAB [--testbed KIND] [--context NAME] [--json FILE] | check FILE... | --list'

export interface RehearseArguments {
  readonly what: 'rehearse'
  readonly labId: string
  readonly testbed: TestbedKind
  readonly context: string | null
  /** File for the report, or null for none. */
  readonly json: string | null
}

export type Arguments =
  | RehearseArguments
  | { readonly what: 'list' }
  | { readonly what: 'check'; readonly files: readonly string[] }
  | {
      readonly what: 'lab'
      readonly labId: string
      readonly testbed: TestbedKind
      /** The kubeconfig's context; null for its current one. */
      readonly context: string | null
      readonly params: StepParams
      /** Whether to ask the counted machine, too, when the lab has completed. */
      readonly opinion: boolean
      /** File for the result, or null for none. */
      readonly json: string | null
    }

function wrong(message: string, detail?: string): LabError {
  return new LabError('bad_request', message, `Usage: ${usage}`, detail === undefined ? {} : { detail })
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        testbed: { type: 'string', default: 'netns' },
        context: { type: 'string' },
        placement: { type: 'string' },
        repeats: { type: 'string' },
        duration: { type: 'string' },
        order: { type: 'string' },
        warmups: { type: 'string' },
        opinion: { type: 'boolean', default: false },
        json: { type: 'string' },
      },
    })
  } catch (error) {
    throw wrong('The arguments are not valid.', error instanceof Error ? error.message : String(error))
  }
}

/** An option that is not given keeps the lab's default. */
function numberOf(name: string, given: string | undefined): Record<string, number> {
  return given === undefined ? {} : { [name]: Number(given) }
}

/** @throws LabError `bad_request` with the usage as its remedy */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  if (values.list) return { what: 'list' }
  const rehearses = positionals[0] === 'rehearse'
  const [labId, ...rest] = rehearses ? positionals.slice(1) : positionals
  if (!rehearses && labId === 'check') {
    if (rest.length === 0) throw wrong('Name the files to check.')
    return { what: 'check', files: rest }
  }
  if (labId === undefined) throw wrong(rehearses ? 'Name the lab to rehearse.' : 'Name the lab to run.')
  if (rest.length > 0) throw wrong(`Name only one lab. Unexpected: ${rest.join(' ')}.`)
  const testbed = testbedKind.safeParse(values.testbed)
  if (!testbed.success)
    throw wrong(`The testbed "${values.testbed}" does not exist. Available: ${testbedKind.options.join(', ')}.`)
  if (values.context !== undefined && testbed.data !== 'kubernetes')
    throw wrong('--context needs --testbed kubernetes.')
  const where = { testbed: testbed.data, context: values.context ?? null, json: values.json ?? null }
  if (rehearses) return { what: 'rehearse', labId, ...where }
  if (values.opinion && testbed.data !== 'netns') throw wrong('--opinion needs --testbed netns.')
  const placement = placementVariant.optional().safeParse(values.placement)
  if (!placement.success) throw wrong(`--placement accepts ${placementVariant.options.join(', ')}.`)
  const params = stepParams.safeParse({
    ...numberOf('repeats', values.repeats),
    ...numberOf('seconds', values.duration),
    ...numberOf('warmups', values.warmups),
    order: values.order,
    switchOff: true,
    placement: placement.data,
  })
  if (!params.success) {
    throw wrong(
      '--repeats accepts 1 to 50, --duration 0.5 to 120 seconds in steps of 0.5, --warmups 0 to 5, and --order interleaved or sequential.',
    )
  }
  return {
    what: 'lab',
    labId,
    ...where,
    params: params.data,
    opinion: values.opinion,
  }
}
