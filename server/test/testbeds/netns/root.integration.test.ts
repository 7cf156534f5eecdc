/** As root the testbed's processes belong to an ordinary user, and still do everything. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { netnsTestbed } from '../../support/netns.ts'
import { pair } from '../../support/runs/pair.ts'
import { descendants } from './host.ts'

const context = { signal: new AbortController().signal, emit: () => {} }

describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  test('no process of the testbed is root, and none reads root’s files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'expresslane-root-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const file = join(folder, 'secret')
    writeFileSync(file, 'a secret', { mode: 0o600 })
    const testbed = netnsTestbed()
    onTestFinished(() => testbed.close())
    await testbed.deploy(pair, 'other-node', context)

    const script = `cat ${file}; ls /root; exec cat /proc/self/uid_map`
    const said: string[] = []
    for await (const item of testbed.exec('client', ['sh', '-c', script], context)) {
      if (item.type === 'line') said.push(`${item.stream}: ${item.text}`)
    }
    expect(said.filter((line) => line.includes('Permission denied'))).toHaveLength(2)
    expect(said.join('\n')).not.toContain('a secret')

    const owners = descendants(process.pid).map(({ pid, name }) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return `${name} ${/^Uid:\s+(\d+)/m.exec(status)?.[1]}`
    })
    expect(owners).toContain('netserver 65534')
    expect(owners.filter((owner) => !owner.endsWith(' 65534'))).toEqual([])
  })
})
