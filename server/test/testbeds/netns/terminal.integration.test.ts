/** A terminal on this machine: a shell in a namespace of the testbed, with its rights and a root folder of its own. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair } from '../../support/runs/pair.ts'
import { terminalAt } from '../typed-shell.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = netnsTestbed()
  await testbed.deploy(pair, 'other-node', note())
})
afterAll(() => testbed.close())

describe('a terminal', () => {
  test('is in the namespace of its place, and can change it', async () => {
    expect(testbed.terminals?.places).toEqual(['pod1', 'node1', 'bridge', 'node2', 'pod2'])
    const pod = await terminalAt('pod1', testbed)
    expect(await pod.run('ip -br address show dev eth0')).toContain('10.31.1.2')
    expect(await pod.run('ping -c1 10.31.2.2 || netperf -H 10.31.2.2 -t TCP_RR -l -10')).toMatch(/mark-2-0/)
    const node = await terminalAt('node1', testbed)
    await node.run('ip link set dev eth0 gso_max_size 70000')
    const { kernel } = await testbed.read(note())
    expect(kernel.find(({ where, device }) => where === 'node1' && device === 'eth0')?.gsoMaxSize).toBe(70_000)
    expect(node.output()).toContain('node1')
  })

  test('has the programs of the labs, and nothing of a person’s or of the host', async () => {
    const home = mkdtempSync(join(homedir(), 'terminal-test-'))
    onTestFinished(() => rmSync(home, { recursive: true }))
    writeFileSync(join(home, 'secret'), 'secret words')
    const shell = await terminalAt('node1', testbed)
    expect(
      await shell.run('for one in ip netperf tcpdump nft; do command -v $one || echo missing; done'),
    ).not.toContain('\nmissing')
    expect(await shell.run(`cat ${home}/secret`)).toContain('No such file')
    expect(await shell.run('ls /home /root /var /srv /opt')).not.toMatch(/^mark-3-0/m)
    // Its own processes alone: bwrap, the shell, and ps.
    expect((await shell.run('ls -d /proc/[0-9]* | wc -l')).match(/^\s*(\d+)\s*$/m)?.[1]).toMatch(/^[1-6]$/)
    for (const line of ['touch /usr/x', 'touch /etc/x', 'mount -o remount,rw /usr']) {
      expect(await shell.run(line), line).not.toMatch(/^mark-\d+-0/m)
    }
    expect(await shell.run('ip link show | grep -c .')).not.toContain('wlan')
    expect(existsSync('/usr/x')).toBe(false)
    expect((await shell.run('ls /sys/class/net')).match(/^lo$/m)).not.toBeNull()
    expect(await shell.run('ls /sys/class/net | wc -l')).toMatch(/^1\s*$/m)
    expect(await shell.run('ip -n pod1 -br link show dev eth0 && ip netns exec pod2 true')).toMatch(/^mark-\d+-0/m)
  })

  test('has limits, which it can’t lift', async () => {
    const shell = await terminalAt('node1', testbed)
    expect(await shell.run('ulimit -u -v -n -f | tr -s " " | cut -d")" -f2')).toMatch(/256\s+1048576\s+1024\s+65536/)
    for (const line of [
      'ulimit -u 1000',
      'ulimit -v unlimited',
      'chrt --other -p 0 $$',
      'mount -o remount,bind,rw /usr',
      'mount --bind /usr /tmp',
      'umount /proc/sys/kernel',
      'unshare -n true',
      'unshare -U true',
      'unshare -C true',
      'ipcmk -M 1000',
      'head -c 70M /dev/zero >/tmp/one',
      'head -c 1000 /dev/zero >/dev/shm/one',
      'touch /run/netns/one',
    ]) {
      expect(await shell.run(line), line).not.toMatch(/^mark-\d+-0/m)
    }
    // Nothing else can be written to, and it is small.
    expect(await shell.run('rm /tmp/*; df -t tmpfs --output=target,size,iused | grep /tmp')).toMatch(/^\/tmp\s+65536/m)
    expect(await shell.run('grep -c "^tmpfs .* rw," /proc/mounts')).toMatch(/^1\s*$/m)
  })

  test('of a fork bomb ends with all of it, and the testbed is read meanwhile', async () => {
    const shell = await terminalAt('node2', testbed)
    await shell.run('echo ready')
    void shell.write(Buffer.from(':(){ sleep 86395 & : | : & };:\n'))
    await expect.poll(shell.output).toContain('Resource temporarily unavailable')
    expect((await testbed.read(note())).kernel.length).toBeGreaterThan(0)
    await shell.end()
    await expect
      .poll(() => execFileSync('sh', ['-c', 'pgrep -fc "sleep 8639[5]" || true'], { encoding: 'utf8' }))
      .toBe('0\n')
    const next = await terminalAt('node2', testbed)
    expect(await next.run('echo $((40 + 2))')).toContain('42')
  })

  test('takes a paste that its program reads late, whole', async () => {
    const shell = await terminalAt('node1', testbed)
    await shell.run('stty -icanon -echo')
    void shell.write(Buffer.from('sleep 1; head -c 300000 | sha256sum\n'))
    const parts = Array.from({ length: 300 }, (_, part) => `${part}`.padEnd(1000, 'x'))
    await Promise.all(parts.map((part) => shell.write(Buffer.from(part))))
    await expect.poll(shell.output).toContain(createHash('sha256').update(parts.join('')).digest('hex'))
  })

  test('follows the size of the page', async () => {
    const shell = await terminalAt('bridge', testbed)
    expect(await shell.run('stty size')).toContain('24 200')
    shell.resize({ rows: 40, columns: 120 })
    expect(await shell.run('stty size')).toContain('40 120')
  })

  test('ends with everything that it started, however it is ended', async () => {
    const shell = await terminalAt('node2', testbed)
    await shell.run('(trap "" HUP TERM; sleep 86396) & disown')
    await shell.end()
    expect(await shell.closed).toBeDefined()
    const left = await terminalAt('node2', testbed)
    await left.run('true')
    await expect
      .poll(() => execFileSync('sh', ['-c', 'pgrep -f "sleep 8639[6]" || true'], { encoding: 'utf8' }))
      .toBe('')
  })

  test('of a pod ends with the pod, and needs one', async () => {
    const own = netnsTestbed()
    onTestFinished(() => own.close())
    await expect(terminalAt('pod1', own)).rejects.toMatchObject({ code: 'step_not_ready' })
    await expect(terminalAt('nowhere', own)).rejects.toMatchObject({ code: 'not_found' })
    await own.deploy(pair, 'other-node', note())
    const shell = await terminalAt('pod1', own)
    await shell.run('true')
    await own.remove(note())
    await shell.closed
  })

  test('that prints without end is held back, and takes keys', async () => {
    let [taken, let_] = [0, (): void => {}]
    const gate = new Promise<void>((resolve) => {
      let_ = resolve
    })
    const terminal = await testbed.terminals?.open(
      {
        namespace: 'node1',
        size: { rows: 24, columns: 80 },
        onOutput(bytes) {
          taken += bytes.length
          return taken > 100_000 ? gate : undefined
        },
      },
      note(),
    )
    onTestFinished(() => terminal?.end())
    void terminal?.write(Buffer.from('yes\n'))
    await expect.poll(() => taken).toBeGreaterThan(200_000)
    const held = taken
    await testbed.read(note())
    expect(taken).toBeLessThan(held + 300_000)
    void terminal?.write(Buffer.from('\u0003'))
    let_()
    await expect.poll(() => taken).toBeGreaterThan(held)
  })
})
