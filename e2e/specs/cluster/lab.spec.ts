import { currentContext, NAMESPACE, test } from '../../support/cluster.ts'
import { image } from '../../support/installed.ts'
import { walkBigTcp } from '../../support/whole-lab.ts'

// Where this checkout's image is packed, the lab over IPv4 is walked on the server in the cluster: see in-cluster.spec.ts.
for (const family of image === '' ? (['ipv4', 'ipv6'] as const) : (['ipv6'] as const)) {
  test(`the whole ${family} lab on a real cluster`, async ({ page, app }) => {
    await walkBigTcp(page, { family, server: app, context: await currentContext(), namespace: NAMESPACE })
  })
}
