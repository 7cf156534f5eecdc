/** The translation lab without a browser as an ordinary user, who may open /dev/net/tun as most systems let everybody. */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { dataFolder, headless } from './lab-process.ts'

const NOBODY = 65_534

const least = ['nat64', '--repeats', '1', '--duration', '1', '--warmups', '0']

/** Makes a device that everybody may open, seen by this process and its children alone, and goes on as an ordinary user. */
const script = [
  'set -e',
  'mkdir "$1/net" && mknod "$1/net/tun" c 10 200 && chmod 666 "$1/net/tun"',
  'mkdir -p /dev/net && touch /dev/net/tun && mount --bind "$1/net/tun" /dev/net/tun',
  'shift',
  `exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups "$@"`,
].join('\n')

test.runIf(process.getuid?.() === 0)(
  'an ordinary user resolves names, opens pages through tayga, and measures it; what needs root is left out, with the reason',
  { timeout: 900_000 },
  async () => {
    const [devices, data] = [await dataFolder(), await dataFolder()]
    chownSync(data, NOBODY, NOBODY)
    const file = join(data, 'result.json')
    const argv = [process.execPath, headless, ...least, '--json', file]
    const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', devices, ...argv], {
      encoding: 'utf8',
      env: { ...process.env, EXPRESSLANE_DATA: data, HOME: data },
      maxBuffer: 64 * 1024 * 1024,
    })
    expect(status, stderr.slice(-4_000)).toBe(0)
    expect(stderr).toContain('15. Restore')
    expect(stderr).toContain('ok: ipv4only.lab.example has no IPv6 address, and DNS64 made one: fd64:ff9b::a2e:202.')
    expect(stderr).toContain('ok: The client speaks IPv6 and has opened a page that is on IPv4 only.')
    expect(stderr).toMatch(/left out: This testbed can’t do this step, so it is left out\. BPF needs root here/)
    expect(stderr.split('\n').filter((line) => /left out here: BPF, (stateless|stateful): /.test(line))).toHaveLength(6)
    const { arms } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(new Set(arms.map(({ id }) => id))).toEqual(new Set(['native', 'tayga']))
    for (const { id, measurements } of arms) {
      expect((measurements[0]?.values['taygaTranslations'] ?? 0) > 0).toBe(id === 'tayga')
    }
  },
)
