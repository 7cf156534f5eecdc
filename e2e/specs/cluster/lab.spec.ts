import { currentContext, NAMESPACE, test } from '../../support/cluster.ts'
import { image } from '../../support/installed.ts'
import { walkBigTcp } from '../../support/whole-lab.ts'

// If this checkout's image is packed, the lab is walked on the server in the cluster instead, over IPv4
// (in-cluster.spec.ts), and by the headless command over IPv6 (faults-rights.test.ts of the server).
for (const family of image === '' ? (['ipv4', 'ipv6'] as const) : []) {
  test(`the whole ${family} lab on a real cluster`, async ({ page, app }) => {
    await walkBigTcp(page, { family, server: app, context: await currentContext(), namespace: NAMESPACE })
  })
}
