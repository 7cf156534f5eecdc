/** The arguments of `npm run lab`: see {@link help}. */
import { parseArgs } from 'node:util'
import { LabError } from '@expresslane/shared/base/errors'
import { stepParams, type StepParams } from '@expresslane/shared/labs/lab'
import { testbedKind, type TestbedKind } from '@expresslane/shared/testbed/testbed'
import { placementVariant } from '@expresslane/shared/testbed/placement'
import { kinds } from '@expresslane/shared/testbed/kinds'

export const help = `npm run lab -- LAB [OPTIONS]           runs a lab, and prints its result
npm run lab -- rehearse LAB [OPTIONS]  tries a lab before a talk, with short measurements
npm run lab -- check FILE...           checks lab files
npm run lab -- --list                  lists the labs

  --testbed KIND       where it runs: netns (the default), counted, kubernetes
  --context NAME       the kubeconfig's context; without it, the current one
  --json FILE          writes the result to a file

Only for running a lab; without them, the lab's own numbers:
  --repeats N          measurements of each arm, 1 to 50
  --duration SECONDS   of one measurement, 0.5 to 120; some labs need a whole second
  --warmups N          0 to 5
  --order ORDER        interleaved or sequential
  --placement PLACE    other-node (the default), same-node, host-network
  --opinion            asks the counted machine, too
  --profile FILE       profiles each arm afterwards, on counted or as root on netns: FILE gets the profiles, and files
                       beside it their stacks, for flamegraph.pl and speedscope`

/** Where an error's remedy sends people. */
export const usage = 'Usage: npm run lab -- LAB [OPTIONS]; npm run lab -- --help lists them.'

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
  | { readonly what: 'help' }
  | { readonly what: 'list' }
  | { readonly what: 'check'; readonly files: readonly string[] }
  | {
      readonly what: 'lab'
      readonly labId: string
      readonly testbed: TestbedKind
      /** The kubeconfig's context; null for its current context. */
      readonly context: string | null
      readonly params: StepParams
      /** Whether to ask the counted machine, too, when the lab has completed. */
      readonly opinion: boolean
      /** File for the result, or null for none. */
      readonly json: string | null
      /** File for the profiles, or null for none. */
      readonly profile: string | null
    }

function wrong(message: string, detail?: string): LabError {
  return new LabError('bad_request', message, usage, detail === undefined ? {} : { detail })
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
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
        profile: { type: 'string' },
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
  if (values.help) return { what: 'help' }
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
  if (values.context !== undefined && !kinds[testbed.data].isCluster)
    throw wrong('--context needs --testbed kubernetes.')
  const where = { testbed: testbed.data, context: values.context ?? null, json: values.json ?? null }
  if (rehearses) return { what: 'rehearse', labId, ...where }
  if (values.opinion && kinds[testbed.data].opinion === null) throw wrong('--opinion needs --testbed netns.')
  if (values.profile !== undefined && kinds[testbed.data].isCluster)
    throw wrong('--profile needs --testbed counted, or netns as root.')
  const placement = placementVariant.optional().safeParse(values.placement)
  if (!placement.success) throw wrong(`--placement accepts ${placementVariant.options.join(', ')}.`)
  const params = stepParams.safeParse({
    ...numberOf('repeats', values.repeats),
    ...numberOf('seconds', values.duration),
    ...numberOf('warmups', values.warmups),
    order: values.order,
    switchOff: true,
    ...(values.profile !== undefined && { profile: true }),
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
    profile: values.profile ?? null,
  }
}
