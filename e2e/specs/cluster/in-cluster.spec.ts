import { currentContext } from '../../support/cluster.ts'
import { expect, image, NAMESPACE, test } from '../../support/installed.ts'
import { walkBigTcp } from '../../support/whole-lab.ts'

// Anybody's own cluster can run the other specs; only `.ci/run` packs this checkout's image and sets the variable.
test.skip(image === '', 'E2E_APP_IMAGE names no image of the server that the nodes have')

test('kubectl apply -k manifests/app runs the whole IPv4 lab, with its own role and nothing else', async ({
  page,
  installed,
}) => {
  // The server is also brought up and removed.
  test.setTimeout(720_000)
  const admin = await currentContext()
  await walkBigTcp(page, { family: 'ipv4', server: installed, context: 'in-cluster', namespace: NAMESPACE })
  await expect(page.getByText(admin, { exact: true })).toHaveCount(0)

  // As the manifests say, and as the server sees itself.
  const inPod = ['-n', 'expresslane', 'exec', 'deployment/expresslane', '--']
  const status = 'while read -r line; do echo "$line"; done </proc/self/status'
  const self = await installed.kubectl(...inPod, 'sh', '-c', `id -u; ${status}; (echo > /app/x) 2>&1 || true`)
  expect(self).toMatch(/^10001\n/)
  expect(self).toMatch(/^CapEff:\s0+$/m)
  expect(self).toMatch(/^NoNewPrivs:\s1$/m)
  expect(self).toMatch(/^Seccomp:\s2$/m)
  expect(self).toMatch(/Read-only file system/)
  expect(await installed.kubectl('-n', 'expresslane', 'logs', 'deployment/expresslane')).toMatch(
    /"runId":"r_\w+".*"msg":"run ended"/,
  )
})
