import { ciliumConfig, currentContext } from '../../support/cluster.ts'
import { expect, image, test } from '../../support/installed.ts'
import { LabPage } from '../../support/lab-page.ts'

const HANG_MS = 180_000

// Anybody's own cluster can run the other specs; only `.ci/run` packs this checkout's image and sets the variable.
test.skip(image === '', 'E2E_APP_IMAGE names no image of the server that the nodes have')

/** Goes to the next step and does it. */
async function perform(lab: LabPage, title: string, button: string): Promise<void> {
  await lab.next(title)
  await lab.press(button)
  await lab.expectPassed(HANG_MS)
}

/** Does the next step, a short measurement. @returns how many packets a request took, rounded */
async function measure(lab: LabPage, title: string): Promise<number> {
  await lab.next(title)
  await lab.setRepeats(2, 1)
  await lab.press('Measure')
  await lab.expectPassed()
  return Math.round(Number(await lab.seen('data packets per request')))
}

test('kubectl apply -k manifests/app runs the whole IPv4 lab, with its own role and nothing else', async ({
  page,
  installed,
}) => {
  const before = await ciliumConfig()
  const admin = await currentContext()
  const lab = await LabPage.start(page, installed, 'BIG TCP over IPv4', 'cluster in-cluster')
  await expect(page.getByText(admin, { exact: true })).toHaveCount(0)

  await perform(lab, 'Preflight', 'Run preflight')
  await expect(lab.result).toContainText(/All \d+ permissions are granted/)
  await perform(lab, 'Verify that BIG TCP is off', 'Verify')
  await perform(lab, 'Deploy netperf', 'Deploy')
  await perform(lab, 'Read the sizes', 'Read')
  expect(await measure(lab, 'Baseline')).toBe(2)
  await perform(lab, 'Switch BIG TCP on', 'Enable')
  expect((await ciliumConfig())['enable-ipv4-big-tcp']).toBe('true')
  await perform(lab, 'Read again: nodes changed, pods not yet', 'Read')
  await perform(lab, 'Redeploy the pods', 'Redeploy')
  expect(await measure(lab, 'Measure again')).toBe(1)
  await perform(lab, 'Compare', 'Compare')
  await perform(lab, 'Restore', 'Restore')
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
