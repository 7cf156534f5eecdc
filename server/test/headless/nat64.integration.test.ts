/** The lab about translation between IPv4 and IPv6 without a browser, from its first step to its last. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { translatorsHere } from '../features/nat64/here.ts'
import { dataFolder, lab } from './lab-process.ts'

const least = ['nat64', '--repeats', '1', '--duration', '1', '--warmups', '0']

test.runIf(process.getuid?.() === 0)(
  'pages open through each translator, and its packets are counted by each tool over both families',
  { timeout: 900_000 },
  async () => {
    const file = join(await dataFolder(), 'result.json')
    const { code, err } = await lab(await dataFolder(), [...least, '--json', file])
    expect(err).toContain('15. Restore')
    expect(code, err.slice(-4_000)).toBe(0)
    expect(err).not.toContain('left out')
    expect(err).toContain('ok: ipv4only.lab.example has no IPv6 address, and DNS64 made one: fd64:ff9b::a2e:202.')
    expect(err).toContain(
      'ok: The client speaks IPv6 and has opened a page that is on IPv4 only. The server saw 10.99.0.2.',
    )
    expect(err).toContain(
      'ok: The server saw fd64:ff9b::a2e:102, and the client’s own address 10.46.1.2 is inside of it.',
    )
    expect(err).toContain('ok: The server saw fd46:64::9, which is the translator’s address for all clients.')
    const { arms, exhibits } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(new Set(exhibits.map(({ step }) => step))).toEqual(
      new Set(['names', 'ipv4-page', 'ipv6-page', 'ipv6-page-stateful', 'large-packets']),
    )
    const here = translatorsHere()
    expect(new Set(arms.map(({ id }) => id))).toEqual(new Set(here))
    // Three tools over two families.
    expect(arms).toHaveLength(here.length * 6)
    for (const { id, measurements } of arms) {
      const values = measurements[0]?.values ?? {}
      expect(values['tps'] ?? values['throughput']).toBeGreaterThan(0)
      expect((values['bpfTranslations'] ?? 0) > 0).toBe(id.startsWith('bpf-'))
      expect((values['taygaTranslations'] ?? 0) > 0).toBe(id === 'tayga')
      expect(values['gatewayPackets']).toBeGreaterThan(0)
    }
  },
)
