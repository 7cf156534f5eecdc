import { CLIENT, podOf } from '@expresslane/shared/testbed/placement'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { clusterEnv, removeNamespace } from './cluster.ts'
import { openCountingProxy } from './counting-proxy.ts'
import { PROXIED } from './upstream.ts'
import type { Bench } from '../support/table.ts'

const LIMIT = 1
const SECONDS = 60
/** The requests of a page that opens are not counted. */
const SETTLE_MS = 10_000

/** Requests to the API server while a lab's page with pods is open and nothing happens. */
export const clusterIdleRequests: Bench = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'expresslane-bench-'))
  const proxy = await openCountingProxy()
  const kubeconfig = join(directory, 'kubeconfig')
  await proxy.writeKubeconfig(kubeconfig)
  const app = await openApp({ ...(await clusterEnv()), KUBECONFIG: kubeconfig, EXPRESSLANE_CONTEXT: PROXIED })
  const browser = await openBrowser()
  try {
    const session = await app.session('big-tcp-ipv4', 'kubernetes')
    const deployed = await app.run(session, 'deploy', { solve: true })
    const pod = podOf(deployed.placement, CLIENT)
    if (pod === null) throw new Error(deployed.problem?.message ?? 'netperf was not deployed')
    const page = await browser.newPage()
    await page.goto(app.link)
    await page.goto(`${app.origin}/labs/big-tcp-ipv4/sessions/${session}/read-off`)
    await page.getByRole('region', { name: 'The path, live' }).getByText(pod.name).first().waitFor()
    await setTimeout(SETTLE_MS)
    const before = proxy.requests.length
    await setTimeout(SECONDS * 1000)
    const idle = proxy.requests.slice(before)
    await page.close()
    await app.run(session, 'restore', {})
    const rate = idle.length / SECONDS
    return {
      what: 'Requests to the API server while the lab page is open and idle',
      bound: '<= 1 per second',
      measured: `${rate.toFixed(2)} per second`,
      how: `${idle.length} in ${SECONDS} s, counted by a proxy in front of it; two pods deployed`,
      holds: rate <= LIMIT,
    }
  } finally {
    await browser.close()
    await app.close()
    proxy.close()
    await removeNamespace()
    await rm(directory, { recursive: true })
  }
}
