/** Detects in a pod that its devices' sizes changed, by a small loop there that sends the API server no requests. */
import { setTimeout as delay } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import type { ExecTarget } from '../exec/exec.ts'
import type { Reaper } from '../exec/reap.ts'

/** Rounds of a second each. The loop ends after them, so a killed server leaves nothing running for long. */
const ROUNDS = 600
/** Allows for slow nodes. */
const DEADLINE_MS = 2 * ROUNDS * 1000
const AGAIN_MS = 1_000
const AGAIN_AT_MOST_MS = 30_000

/**
 * Prints names, MTUs and sizes of all devices on one line, at first and after each change. Counters are left out, and
 * the nodes' ends of pods (`lxc...`), which come and go with pods and keep their sizes.
 */
const LOOP = `
round=0 last=
while [ "$round" -lt "$1" ]; do
  now=$(ip -d -o link show | grep -v ': lxc' | grep -oE '^[0-9]+: [^ ]+|mtu [0-9]+|g[rs]o(_ipv4)?_max_size [0-9]+')
  if [ "$now" != "$last" ]; then
    last=$now
    echo $now
  fi
  round=$((round + 1))
  sleep 1
done 2>/dev/null
`

function deviceLoopArgv(): string[] {
  return ['sh', '-c', LOOP, 'expresslane-devices', String(ROUNDS)]
}

/** The pod is gone or can't run the loop: the watch of the pods starts the next loop. */
const FINAL: ReadonlySet<string> = new Set(['testbed_gone', 'tool_missing', 'cluster_forbidden'])

/**
 * Keeps the loop running in one pod until aborted, and calls `differs` when the devices have changed; the first
 * reading counts as a change. Resolves when the loop in the pod is gone, or the pod is.
 */
export async function watchDevices(
  reaper: Reaper,
  at: ExecTarget,
  signal: AbortSignal,
  differs: () => void,
): Promise<void> {
  let last: string | null = null
  let pause = AGAIN_MS
  while (!signal.aborted) {
    try {
      for await (const item of reaper.exec(at, deviceLoopArgv(), { signal, deadlineMs: DEADLINE_MS })) {
        if (item.type === 'exit' || item.stream === 'stderr') continue
        pause = AGAIN_MS
        if (item.text !== last) differs()
        last = item.text
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof LabError)) throw error
      if (FINAL.has(error.code)) return
    }
    await delay(pause, undefined, { signal }).catch(() => {})
    pause = Math.min(2 * pause, AGAIN_AT_MOST_MS)
  }
}
