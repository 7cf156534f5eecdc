/** The commands and lines of the NodePort helper that only tests use. */
import { z } from 'zod'
import { argv } from '../../../src/tools/nodeport/argv.ts'
import { count, failedCall, hook, id, pid, reader } from '../../../src/tools/nodeport/lines.ts'

/** Tries the rights of this user with this kernel, in namespaces of its own. Read it with `parsePreflight`. */
export const preflightArgv = (): string[] => argv('preflight')

/** Lists the helper's programs and maps in the kernel, of all processes. Read it with `parseLoaded`. Root. */
export const loadedArgv = (): string[] => argv('loaded')

const program = z.object({ id, attached: z.boolean() })

const forwardReady = z.object({
  type: z.literal('ready'),
  hook,
  pid,
  services: count,
  devices: z.array(z.object({ name: z.string(), ifindex: id })).min(1),
  programs: z.object({ xdp: program, tc: program }),
  /** Verifying and compiling both programs. */
  loadNs: count,
  servicesNs: count,
  attachNs: count,
})
export type ForwardReady = z.infer<typeof forwardReady>

const check = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['denied', 'unsupported', 'busy', 'failed', 'skipped']),
    /** With `skipped`: the check that it depends on. */
    needs: z.string().optional(),
    ...failedCall,
  }),
])

const preflight = z.object({
  type: z.literal('preflight'),
  version: z.string(),
  arch: z.enum(['x64', 'arm64']),
  kernel: z.string(),
  uid: count,
  unprivilegedBpfDisabled: z.number().int().nullable(),
  checks: z.object({
    namespaces: check,
    veth: check,
    bpf: check,
    xdp: check,
    tcx: check,
    clsact: check,
    liveFrames: check,
    txRing: check,
    sinkSocket: check,
  }),
})

const named = z.array(z.object({ id, name: z.string() }))
const loaded = z.object({ type: z.literal('loaded'), programs: named, maps: named })

export const parseForwardReady = reader(forwardReady)
export const parsePreflight = reader(preflight)
export const parseLoaded = reader(loaded)
