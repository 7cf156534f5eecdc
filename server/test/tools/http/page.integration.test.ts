/** The helper's page and curl, as an ordinary user runs them. */
import { spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { curlArgv, parsePage } from '../../../src/tools/http/curl.ts'
import { isPageReady, pageArgv } from '../../../src/tools/http/page.ts'
import { clientAddresses, nodeAddresses, openPath, type Path } from '../nodeport/path.ts'
import { families } from '../nodeport/forwarding.ts'

const PORT = 8080
const hasCurl = spawnSync('curl', ['--version']).error === undefined
const inName = hasCurl ? '' : ', which is skipped: curl is not installed'

async function open(address: string, title: string): Promise<Path> {
  const path = await openPath('user', onTestFinished)
  expect(isPageReady(await path.start('node', pageArgv({ address, port: PORT, title })).line(0))).toBe(true)
  return path
}

describe.skipIf(!hasCurl)(`a page${inName}`, () => {
  test.each(families)('names the client of %s, and is not there over the other family', async (family) => {
    const address = nodeAddresses[family]
    const path = await open(address, `You've reached an ${family} <only> page`)
    const page = parsePage((await path.run('client', curlArgv(address, PORT, 20))).stdout)
    expect(page).toMatchObject({ status: 200, remote: { address, port: PORT } })
    expect(page.text).toContain(`<h1>You've reached an ${family} &#60;only&#62; page</h1>`)
    expect(page.text).toContain(`This server sees you as ${clientAddresses[family]}, port ${page.local?.port}.`)
    expect(page.seen).toEqual(page.local)
    expect(page.seen?.address).toBe(clientAddresses[family])
    const other = nodeAddresses[family === 'ipv4' ? 'ipv6' : 'ipv4']
    const { code, stdout } = await path.run('client', curlArgv(other, PORT, 20))
    expect({ code, status: parsePage(stdout).status }).toEqual({ code: 7, status: null })
  })

  test('is only read', async () => {
    const path = await open(nodeAddresses.ipv4, 'A page')
    const url = `http://${nodeAddresses.ipv4}:${PORT}/`
    const posted = await path.run('client', [
      'curl',
      '--silent',
      '--request',
      'POST',
      '--write-out',
      '%{http_code}',
      url,
    ])
    expect(posted.stdout).toEqual(['Method Not Allowed', '405'])
    const head = await path.run('client', ['curl', '--silent', '--head', url])
    expect(head.stdout).toContain(`Client-Address: ${clientAddresses.ipv4}`)
    const long = ['--header', `Long: ${'x'.repeat(9000)}`]
    const refused = await path.run('client', ['curl', '--silent', ...long, '--write-out', '%{http_code}', url])
    expect(refused.stdout.at(-1)).toBe('431')
    expect(parsePage((await path.run('client', curlArgv(nodeAddresses.ipv4, PORT, 20))).stdout).status).toBe(200)
  })
})
