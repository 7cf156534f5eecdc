import { expect, image, test } from '../../support/installed.ts'
import { LabPage } from '../../support/lab-page.ts'
import { Workshop } from '../../support/workshop.ts'

// Anybody's own cluster can run the other specs; only `.ci/run` packs this checkout's image and sets the variable.
test.skip(image === '', 'E2E_APP_IMAGE names no image of the server that the nodes have')
test.use({ folder: 'classroom' })

const TESTBEDS = 'expresslane-testbeds'
const lab = 'BIG TCP over IPv4'
/** The server, a pod, and a machine in it start twice, on two processors of which others have some. */
const HANG_MS = 180_000

test('kubectl apply -k manifests/classroom: a participant has a pod, and the next server finds it again', async ({
  browser,
  installed,
}) => {
  test.setTimeout(4 * HANG_MS)
  const workshop = await Workshop.at(installed, browser)
  const ada = await workshop.join('Ada')
  await ada.getByRole('button', { name: `Start: ${lab} on own testbed on the counted machine`, exact: true }).click()
  const walk = new LabPage(ada)
  const pods = (): Promise<string> => installed.kubectl('-n', TESTBEDS, 'get', 'pods', '-o', 'name')
  expect(await pods()).toBe('')
  await walk.pass('Preflight', 'Run preflight', HANG_MS)
  const pod = await pods()
  expect(pod).toMatch(/^pod\/testbed-[0-9a-f]{8}-[0-9a-f]{6}\n$/)

  await installed.restart()
  await ada.reload()
  // The result of the first server is kept, and its pod serves the second.
  await walk.expectPassed()
  await walk.goTo('Deploy netperf')
  await walk.press('Deploy')
  await walk.expectPassed(HANG_MS)
  expect(await pods()).toBe(pod)

  // A testbed does not reach the hub, which answers itself. Dropped packets: `timeout` exits with 124.
  const hub = await installed.kubectl(
    '-n',
    'expresslane',
    'get',
    'service',
    'expresslane',
    '-o',
    'jsonpath={.spec.clusterIP}',
  )
  const connect = ['--', 'timeout', '3', 'bash', '-c']
  await installed.kubectl(
    '-n',
    'expresslane',
    'exec',
    'deployment/expresslane',
    ...connect,
    'exec 3<>/dev/tcp/127.0.0.1/7070',
  )
  await expect(
    installed.kubectl('-n', TESTBEDS, 'exec', pod.trim(), ...connect, `exec 3<>/dev/tcp/${hub}/7070`),
  ).rejects.toThrow('exit code 124')

  // The hub may do nothing else in the cluster.
  const may = async (verb: string, what: string, namespace: string): Promise<string> => {
    const account = 'system:serviceaccount:expresslane:expresslane'
    const asked = installed.kubectl('auth', 'can-i', verb, what, '-n', namespace, `--as=${account}`)
    return (await asked.catch((error: { stdout: string }) => error.stdout)).trim()
  }
  expect(await may('create', 'pods', TESTBEDS)).toBe('yes')
  for (const [verb, what, namespace] of [
    ['get', 'pods', 'kube-system'],
    ['create', 'pods', 'expresslane'],
    ['get', 'secrets', 'expresslane'],
    ['get', 'secrets', TESTBEDS],
    ['patch', 'podtemplates', TESTBEDS],
    ['list', 'nodes', TESTBEDS],
  ] as const) {
    expect(await may(verb, what, namespace), `${verb} ${what} in ${namespace}`).toBe('no')
  }
  await workshop.close()
})
