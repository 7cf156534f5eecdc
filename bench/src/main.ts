/**
 * The performance harness: `npm run bench [-- NAME ...] [--write]`. Ratios are measured within one run, because
 * absolute times on a shared machine say little. Exits with 1 when a bound does not hold.
 */
import { openApp } from './support/app.ts'
import { calibrate } from './calibrate/calibrate.ts'
import { classroom } from './cluster/classroom.ts'
import { clusterIdleRequests } from './cluster/idle-requests.ts'
import { clusterLabTime } from './cluster/lab-time.ts'
import { clusterTpsRatio } from './cluster/tps-ratio.ts'
import { clusterEnv } from './cluster/cluster.ts'
import { manyPods } from './cluster/many-pods.ts'
import { faults } from './faults/faults.ts'
import { history } from './history/history.ts'
import { longRuns } from './history/long.ts'
import { cancelledPackets } from './local/cancelled-packets.ts'
import { fromNothing } from './local/from-nothing.ts'
import { initialJavaScript } from './local/initial-javascript.ts'
import { labTime } from './local/lab-time.ts'
import { liveSample } from './local/live-sample.ts'
import { tab } from './local/tab.ts'
import { tpsRatio } from './local/tps-ratio.ts'
import { viewer } from './local/viewer.ts'
import { warmStart } from './local/warm-start.ts'
import { participantTestbed } from './workshop/participant-testbed.ts'
import { workshop } from './workshop/workshop.ts'
import { printTable, type Bench, type Row } from './support/table.ts'

interface Entry {
  readonly bench: Bench
  /** Variables of the environment that must be set: otherwise the bench is skipped with a message. */
  readonly needs?: readonly string[]
  /** Whether the benchmark runs only when the command names it. */
  readonly named?: boolean
  /** Whether the server serves a room. */
  readonly workshop?: boolean
}

const benches: Record<string, Entry> = {
  'initial-javascript': { bench: initialJavaScript },
  'warm-start': { bench: warmStart },
  // Fetches everything again.
  'from-nothing': { bench: fromNothing, named: true },
  'lab-time': { bench: labTime },
  'live-sample': { bench: liveSample },
  viewer: { bench: viewer },
  // Needs the emulated computer: npm run site -- --machine
  tab: { bench: tab, named: true },
  'cancelled-packets': { bench: cancelledPackets },
  'tps-ratio': { bench: tpsRatio },
  history: { bench: history },
  'long-runs': { bench: longRuns },
  'participant-testbed': { bench: participantTestbed, workshop: true },
  workshop: { bench: workshop, workshop: true },
  // BENCH_CLASSIC_LAB: a command that does the IPv4 lab with 2 repeats of 3 s an arm, and prints its time.
  'cluster-lab-time': { bench: clusterLabTime, needs: ['E2E_KUBECONFIG', 'BENCH_CLASSIC_LAB'] },
  'cluster-tps-ratio': { bench: clusterTpsRatio, needs: ['E2E_KUBECONFIG'] },
  // E2E_APP_IMAGE: the server's image, which the nodes have.
  classroom: { bench: classroom, needs: ['E2E_KUBECONFIG', 'E2E_APP_IMAGE'] },
  // The pods are fake, so the image is only a name.
  'many-pods': { bench: manyPods, needs: ['E2E_KUBECONFIG', 'E2E_APP_IMAGE'] },
  'cluster-idle-requests': { bench: clusterIdleRequests, needs: ['E2E_KUBECONFIG'] },
}

const WRITE = '--write'
const write = process.argv.includes(WRITE)
const asked = process.argv.slice(2).filter((argument) => argument !== WRITE)
// Takes over an hour and has options, so it only runs when named.
if (asked[0] === 'calibrate') process.exit(await calibrate(asked.slice(1)))
// Breaks servers, and has options, too.
if (asked[0] === 'faults') process.exit(await faults(asked.slice(1), write))

const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}. Available: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}

const rows: Row[] = []
for (const [name, { bench, needs = [], named = false, workshop: serves = false }] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : named) continue
  const missing = needs.filter((variable) => (process.env[variable] ?? '') === '')
  if (missing.length > 0) {
    console.error(`${name}: not measured: ${missing.join(' and ')} is not set`)
    if (asked.includes(name)) process.exitCode = 1
    continue
  }
  console.error(`${name} ...`)
  const env = needs.length > 0 ? await clusterEnv() : {}
  const app = await openApp(serves ? { ...env, EXPRESSLANE_WORKSHOP: '1' } : env)
  try {
    rows.push(...[await bench(app)].flat())
  } finally {
    await app.close()
  }
}
printTable(rows, write)
if (!rows.every((row) => row.holds)) process.exitCode = 1
