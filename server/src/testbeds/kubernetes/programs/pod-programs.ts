/** Puts the programs into pods, through `exec`: once into each pod, and not into a pod that has them. */
import { LabError } from '@expresslane/shared/base/errors'
import { linesOf } from '../../target.ts'
import type { CallContext } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import type { Cluster } from '../api/cluster.ts'
import type { Console } from '../exec/console.ts'
import { execIn, type ExecTarget } from '../exec/exec.ts'
import { packPrograms, processor, PROGRAMS, type Packed, type ProgramsMachine } from '../../programs/pack.ts'

/** Time limit in milliseconds for the transfer: some 7 MB at 0.5 Mbit/s. */
const PUT_MS = 120_000
const ASK_MS = 20_000

/** Prints the pod's processor, and the digest of its programs if it has them. */
const ASK = `uname -m; cat ${PROGRAMS}/digest 2>/dev/null; :`

/** Takes an archive of \`$1\` bytes. The pod waits for the digest, so that is written last. */
const TAKE = `
set -e
cd ${PROGRAMS}
rm -f digest
head -c "$1" > archive
[ "$(sha256sum < archive)" = "$2  -" ] || { echo 'The archive arrived with another SHA-256.' >&2; exit 1; }
tar -xzf archive
rm archive
echo "$2" > digest
`

export interface PodPrograms {
  /** @throws LabError `tool_missing` if this machine lacks programs */
  packed(): Promise<Packed>
  /**
   * Puts the programs into a pod that lacks them.
   *
   * @throws LabError as {@link PodPrograms.packed}; `workload_not_ready` for a node with another processor;
   * `tool_failed`; the errors of `execIn`; `signal.reason`
   */
  ensure(at: ExecTarget, context: CallContext): Promise<void>
}

function otherProcessor(at: ExecTarget, theirs: string): LabError {
  return new LabError(
    'workload_not_ready',
    `The node of pod ${at.pod} has a processor of another kind (${theirs}) than this machine (${processor}), so this machine’s programs don’t run there.`,
    'Set EXPRESSLANE_NETPERF_IMAGE to an image for that processor: manifests/netperf-image builds one.',
  )
}

export function createPodPrograms(cluster: Cluster, console: Console, machine: ProgramsMachine): PodPrograms {
  let packing: Promise<Packed> | null = null
  /** By the pod's UID. */
  const there = new Map<string, Promise<void>>()

  function packed(): Promise<Packed> {
    packing ??= packPrograms(machine).catch((error: unknown) => {
      packing = null
      throw error
    })
    return packing
  }

  async function put(at: ExecTarget, context: CallContext): Promise<void> {
    const { signal } = context
    const { archive, sha256 } = await packed()
    const asked = execIn(cluster, at, ['sh', '-c', ASK], { signal, deadlineMs: ASK_MS })
    const [theirs = '', present] = await linesOf(asked, 'uname -m')
    if (present === sha256) return
    if (theirs !== processor) throw otherProcessor(at, theirs)
    const { namespace, pod, container } = at
    const kubectl = ['kubectl', '-n', namespace, 'exec', '-i', pod, '-c', container, '--', 'tar', '-xzC', PROGRAMS]
    const typed = `${typedLine(kubectl)} < programs.tar.gz`
    await console.showAs(typed, context, async (print) => {
      print(`${(archive.length / 1e6).toFixed(1)} MB, SHA-256 ${sha256}`)
      const argv = ['sh', '-c', TAKE, 'expresslane-programs', `${archive.length}`, sha256]
      await linesOf(execIn(cluster, at, argv, { signal, deadlineMs: PUT_MS, input: archive }), typed)
    })
  }

  return {
    packed,
    ensure(at, context) {
      const key = at.uid ?? ''
      const putting = there.get(key) ?? put(at, context)
      there.set(key, putting)
      return putting.catch((error: unknown) => {
        if (there.get(key) === putting) there.delete(key)
        throw error
      })
    },
  }
}
