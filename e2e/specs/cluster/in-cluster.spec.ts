import { ciliumConfig, currentContext } from '../../support/cluster.ts'
import { expect, image, test } from '../../support/installed.ts'
import { LabPage } from '../../support/lab-page.ts'

const HANG_MS = 180_000

test.skip(image === '', 'E2E_APP_IMAGE names no image of the server that the nodes have')

test('kubectl apply -k manifests/app runs the whole IPv4 lab, with its own role and nothing else', async ({
  page,
  installed,
}) => {
  const before = await ciliumConfig()
  const admin = await currentContext()
  const lab = await LabPage.start(page, installed, 'BIG TCP over IPv4', 'cluster in-cluster')
  await expect(page.getByText(admin, { exact: true })).toHaveCount(0)

  await lab.next('Preflight')
  await lab.press('Run preflight')
  await lab.expectPassed()
  await expect(lab.result).toContainText(/All \d+ permissions are granted/)

  await lab.next('Verify that BIG TCP is off')
  await lab.press('Verify')
  await lab.expectPassed()
  await lab.next('Deploy netperf')
  await lab.press('Deploy')
  await lab.expectPassed(HANG_MS)
  await lab.next('Read the sizes')
  await lab.press('Read')
  await lab.expectPassed()
  await lab.next('Baseline')
  await lab.setRepeats(2, 1)
  await lab.press('Measure')
  await lab.expectPassed()
  expect(Math.round(Number(await lab.seen('data packets per request')))).toBe(2)
  await lab.next('Switch BIG TCP on')
  await lab.press('Enable')
  await lab.expectPassed(HANG_MS)
  expect((await ciliumConfig())['enable-ipv4-big-tcp']).toBe('true')
  await lab.next('Read again: nodes changed, pods not yet')
  await lab.press('Read')
  await lab.expectPassed()
  await lab.next('Redeploy the pods')
  await lab.press('Redeploy')
  await lab.expectPassed(HANG_MS)
  await lab.next('Measure again')
  await lab.setRepeats(2, 1)
  await lab.press('Measure')
  await lab.expectPassed()
  expect(Math.round(Number(await lab.seen('data packets per request')))).toBe(1)
  await lab.next('Compare')
  await lab.press('Compare')
  await lab.expectPassed()
  await lab.next('Restore')
  await lab.press('Restore')
  await lab.expectPassed(HANG_MS)
  expect(await ciliumConfig()).toEqual(before)

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
