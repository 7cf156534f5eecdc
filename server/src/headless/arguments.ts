/** The arguments of `npm run lab`: see {@link help}. */
import { parseArgs } from 'node:util'
import { LabError } from '@expresslane/shared/base/errors'
import { stepParams, type StepParams } from '@expresslane/shared/labs/lab'
import { testbedKind, type TestbedKind } from '@expresslane/shared/testbed/testbed'
import { batchEngine, kernelRelease, type BatchEngine } from '@expresslane/shared/wire/batch'
import { placementVariant } from '@expresslane/shared/testbed/placement'
import { kinds } from '@expresslane/shared/testbed/kinds'
import { z } from 'zod'

export const help = `npm run lab -- LAB [OPTIONS]           runs a lab, and prints its result
npm run lab -- rehearse LAB [OPTIONS]  tries a lab before a talk, with short measurements
npm run lab -- bisect LAB GOOD BAD     finds the package between two kernels with which the lab's result changes
npm run lab -- open RECORDING [FILE]   writes a page with a recording, and opens it, as --open does
npm run lab -- check FILE...           checks lab files
npm run lab -- --list                  lists the labs

  --testbed KIND       where it runs: netns (the default), counted, ssh, kubernetes
  --context NAME       the kubeconfig's context; without it, the current one
  --json FILE          writes the result to a file

Only for running a lab; without them, the lab's own numbers:
  --repeats N          measurements of each arm, 1 to 50
  --duration SECONDS   of one measurement, 0.5 to 120; some labs need a whole second
  --warmups N          0 to 5
  --order ORDER        interleaved or sequential
  --case CASE          only this case of the experiment
  --placement PLACE    other-node (the default), same-node, host-network
  --opinion            asks the counted machine, too
  --open [FILE.html]   writes one page with the recording of this run, and opens it in the browser; by default
                       expresslane-LAB-DATE.html
  --profile FILE       profiles each arm afterwards, on counted or as root on netns: FILE gets the profiles, and files
                       beside it their stacks, for flamegraph.pl and speedscope

A batch, only with --testbed counted: each case on each kernel is a run with a machine of its own (docs/batches.md):
  --kernels RELEASES   separated by commas, or all: those that are prepared here
  --engine ENGINE      local (the default), or kubernetes: each run is a pod
  --parallel N         runs at the same time, 1 (the default) to 50
  --to FOLDER          for the results; by default batch-LAB, and bisect-LAB for bisect. Runs with a result are not made again`

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

export interface BatchArguments {
  readonly what: 'batch'
  /** True for a search between two kernels. */
  readonly bisects: boolean
  readonly labId: string
  readonly params: StepParams
  /** The only case to measure; null for each. */
  readonly case: string | null
  /** The folder of the results. */
  readonly to: string
  readonly context: string | null
  /** Null for the machine's default kernel. A bisection has both ends. */
  readonly kernels: readonly string[] | 'all' | null
  readonly engine: BatchEngine
  readonly parallel: number
}

/** The page's file; without a name, that of the lab and the time. */
export interface PageFile {
  readonly name: string | null
}

export type Arguments =
  | RehearseArguments
  | BatchArguments
  | { readonly what: 'help' }
  | { readonly what: 'list' }
  | { readonly what: 'check'; readonly files: readonly string[] }
  | { readonly what: 'open'; readonly recording: string; readonly page: PageFile }
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
      /** Null for no page. */
      readonly open: PageFile | null
    }

function wrong(message: string, detail?: string): LabError {
  return new LabError('bad_request', message, usage, detail === undefined ? {} : { detail })
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      // The name is optional, and parseArgs knows no such option.
      args: argv.map((word, at) => (word === '--open' && argv[at + 1]?.endsWith('.html') !== true ? '--open=' : word)),
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
        case: { type: 'string' },
        kernels: { type: 'string' },
        engine: { type: 'string' },
        parallel: { type: 'string' },
        to: { type: 'string' },
        opinion: { type: 'boolean', default: false },
        json: { type: 'string' },
        profile: { type: 'string' },
        open: { type: 'string' },
      },
    })
  } catch (error) {
    throw wrong('The arguments are not valid.', error instanceof Error ? error.message : String(error))
  }
}

/** @throws LabError `bad_request` */
function pageFile(given: string): PageFile {
  if (given !== '' && !given.endsWith('.html')) throw wrong(`A page's file ends in .html, and not as "${given}" does.`)
  return { name: given === '' ? null : given }
}

/** An option that is not given keeps the lab's default. */
function numberOf(name: string, given: string | undefined): Record<string, number> {
  return given === undefined ? {} : { [name]: Number(given) }
}

type Given = ReturnType<typeof parse>['values']

/** @throws LabError `bad_request` */
function paramsOf(values: Given): StepParams {
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
    ...(values.case !== undefined && { cases: [values.case] }),
  })
  if (params.success) return params.data
  const [first] = params.error.issues
  if (first?.path[0] === 'cases') throw wrong(`--case accepts the id of a case, and not "${values.case}".`)
  throw wrong(
    '--repeats accepts 1 to 50, --duration 0.5 to 120 seconds in steps of 0.5, --warmups 0 to 5, and --order interleaved or sequential.',
  )
}

const batchOptions = ['kernels', 'engine', 'parallel', 'to'] as const
const batchValues = z.object({
  kernels: z.union([z.literal('all'), z.array(kernelRelease).min(1).max(200)]).nullable(),
  engine: batchEngine,
  parallel: z.coerce.number().int().min(1).max(50),
})

/** @param words the lab, and for a bisection both kernels @throws LabError `bad_request` */
function batchArguments(bisects: boolean, values: Given, words: readonly string[]): BatchArguments {
  const [labId = '', ...ends] = words
  const other = (['json', 'profile', 'placement', 'opinion', 'open'] as const).find(
    (option) => (values[option] ?? false) !== false,
  )
  if (other !== undefined) throw wrong(`A batch has no --${other}: its results are in the folder of --to.`)
  if (bisects && (ends.length !== 2 || values.kernels !== undefined || values.engine !== undefined))
    throw wrong('bisect needs a lab and two kernels, and measures here: bisect LAB GOOD BAD.')
  const { kernels = null, engine = 'local', parallel = '1', context = null } = values
  const listed = bisects ? ends : kernels === 'all' ? kernels : (kernels?.split(',') ?? null)
  const { success, data } = batchValues.safeParse({ kernels: listed, engine, parallel })
  if (!success)
    throw wrong(
      'Kernels are releases as `npm run kernel` lists them, --engine accepts local or kubernetes, and --parallel 1 to 50.',
    )
  if (context !== null && data.engine === 'local') throw wrong('--context needs --engine kubernetes.')
  const { cases, ...params } = paramsOf(values)
  const to = values.to ?? `${bisects ? 'bisect' : 'batch'}-${labId}`
  return { what: 'batch', bisects, labId, params, case: cases?.[0] ?? null, to, context, ...data }
}

/** @throws LabError `bad_request` with the usage as its remedy */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  if (values.help) return { what: 'help' }
  if (values.list) return { what: 'list' }
  if (positionals[0] === 'bisect') return batchArguments(true, values, positionals.slice(1))
  const rehearses = positionals[0] === 'rehearse'
  const [labId, ...rest] = rehearses ? positionals.slice(1) : positionals
  if (!rehearses && labId === 'check') {
    if (rest.length === 0) throw wrong('Name the files to check.')
    return { what: 'check', files: rest }
  }
  if (!rehearses && labId === 'open') {
    const [recording, page = '', ...more] = rest
    if (recording === undefined || more.length > 0) throw wrong('Name one recording to open.')
    return { what: 'open', recording, page: pageFile(page) }
  }
  if (labId === undefined) throw wrong(rehearses ? 'Name the lab to rehearse.' : 'Name the lab to run.')
  if (rest.length > 0) throw wrong(`Name only one lab. Unexpected: ${rest.join(' ')}.`)
  const testbed = testbedKind.safeParse(values.testbed)
  if (!testbed.success)
    throw wrong(`The testbed "${values.testbed}" does not exist. Available: ${testbedKind.options.join(', ')}.`)
  const { isCluster, opinion, clock } = kinds[testbed.data]
  if (!rehearses && batchOptions.some((option) => values[option] !== undefined)) {
    if (clock === null) throw wrong('A batch needs --testbed counted.')
    return batchArguments(false, values, [labId])
  }
  if (values.context !== undefined && !isCluster) throw wrong('--context needs --testbed kubernetes.')
  const where = { testbed: testbed.data, context: values.context ?? null, json: values.json ?? null }
  if (rehearses && values.open !== undefined) throw wrong('A rehearsal has no --open: it measures too little to show.')
  if (rehearses) return { what: 'rehearse', labId, ...where }
  if (values.opinion && opinion === null) throw wrong('--opinion needs --testbed netns.')
  if (values.profile !== undefined && isCluster) throw wrong('--profile needs --testbed counted, or netns as root.')
  return {
    what: 'lab',
    labId,
    ...where,
    params: paramsOf(values),
    opinion: values.opinion,
    profile: values.profile ?? null,
    open: values.open === undefined ? null : pageFile(values.open),
  }
}
