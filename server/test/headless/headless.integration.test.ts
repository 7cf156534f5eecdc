/** The headless command on this machine's kernel. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { describe, expect, it } from 'vitest'
import { dataFolder, lab } from './lab-process.ts'

const twice = ['--repeats', '2', '--duration', '1']

/** The result of a BIG TCP lab: half the packets, and the limits of the pods. */
async function expectBigTcp(
  file: string,
  limit: 'gsoIpv4MaxSize' | 'gsoMaxSize',
  other: 'gsoIpv4MaxSize' | 'gsoMaxSize',
): Promise<void> {
  const result = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
  const [off, on] = result.arms
  expect([off?.id, on?.id]).toEqual(['off', 'on'])
  expect(off?.measurements).toHaveLength(2)
  expect(on?.measurements).toHaveLength(2)
  expect(Math.round(off?.packetsPerRequest ?? Number.NaN)).toBe(2)
  expect(Math.round(on?.packetsPerRequest ?? Number.NaN)).toBe(1)
  const pods = (arm: typeof on) => arm?.readings.filter((one) => one.where.startsWith('pod')) ?? []
  expect(pods(off).map((one) => one[limit])).toEqual([LEGACY_MAX_SIZE, LEGACY_MAX_SIZE])
  expect(pods(on).map((one) => one[limit])).toEqual([BIG_TCP_CAP, BIG_TCP_CAP])
  expect(pods(on).map((one) => one[other])).toEqual([LEGACY_MAX_SIZE, LEGACY_MAX_SIZE])
}

describe('npm run lab', () => {
  it('runs the whole IPv4 lab and writes its result', async () => {
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['big-tcp-ipv4', ...twice, '--json', file])
    expect(err).toContain('12. Restore')
    expect(err).toMatch(/^Published by others:\n {3}Transactions: yours .*; published .*Isovalent lab, IPv4/m)
    expect(code).toBe(0)
    await expectBigTcp(file, 'gsoIpv4MaxSize', 'gsoMaxSize')
  })

  it('runs an experiment lab with the given options while the whole IPv6 lab waits, which then runs', async () => {
    const data = await dataFolder()
    const [file, ipv6] = [join(data, 'result.json'), join(data, 'ipv6.json')]
    const later: ReturnType<typeof lab>[] = []
    // The experiment is a single run, which goes on for longer than the second lab takes to queue.
    const options = ['--repeats', '1', '--duration', '1', '--warmups', '0', '--order', 'sequential']
    const first = await lab(data, ['jumbo-or-big-tcp', ...options, '--json', file], {}, (err) => {
      if (later.length === 0 && /^3\. /m.test(err)) later.push(lab(data, ['big-tcp-ipv6', ...twice, '--json', ipv6]))
    })
    const [second] = await Promise.all(later)
    expect(second?.err).toMatch(/^ {3}waiting: next in line/m)
    expect([first.err, second?.err]).toMatchObject([
      expect.stringContaining('5. Restore'),
      expect.stringContaining('12. Restore'),
    ])
    expect([first.code, second?.code]).toEqual([0, 0])
    await expectBigTcp(ipv6, 'gsoMaxSize', 'gsoIpv4MaxSize')

    const { arms, plans, comparisons, captures } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(captures).toEqual([])
    expect(plans[0]?.plan.design).toMatchObject({ order: 'sequential', repeats: 1, seconds: 1, warmups: 0 })
    const ids = ['mtu1500-off', 'mtu1500-on', 'mtu9000-off', 'mtu9000-on']
    expect(arms.map((arm) => `${arm.case} ${arm.id}`)).toEqual(
      ['rr', 'stream'].flatMap((one) => ids.map((id) => `${one} ${id}`)),
    )
    const seen = arms.map(({ measurements: [one] }) => [
      one?.fingerprint?.mtu,
      one?.fingerprint?.settings['big-tcp-ipv4'],
    ])
    expect(seen).toEqual([0, 1].flatMap(() => [1500, 1500, 9000, 9000].map((mtu, arm) => [mtu, arm % 2 === 1])))
    expect(comparisons).toHaveLength(6)
    expect(comparisons.map(({ comparison }) => comparison.verdict)).toEqual(Array(6).fill('too-few'))
  })

  it('runs the whole lab of the greatest rate, with every hook that this user can have and without forwarding', async () => {
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['nodeport-rate', '--repeats', '1', '--duration', '0.5', '--json', file])
    expect(err).toContain('8. Restore')
    expect(code).toBe(0)
    const { arms, comparisons } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    const root = process.getuid?.() === 0 ? ['tc', 'xdp'] : []
    expect(arms.map(({ id }) => id)).toEqual([...root, 'nftables', 'iptables', 'none'])
    for (const { id, measurements } of arms) {
      const [values] = measurements.map((one) => one.values)
      expect(values).toMatchObject({ elsewhere: 0, hookShare: id === 'none' ? null : expect.any(Number) })
    }
    expect(comparisons.map(({ comparison }) => comparison.verdict)).toEqual(Array(arms.length - 1).fill('too-few'))
  })

  it('captures a request’s packets, and reports them', async () => {
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['see-the-packets', '--json', file])
    expect(err).toContain('IPv4, off: the request took 2 packets: 65,160 + 14,840 bytes')
    expect(err).toContain('IPv6, on: the request took 1 packet: 80,000 bytes')
    expect(code).toBe(0)
    const { arms, captures } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(arms).toEqual([])
    expect(captures.map(({ step }) => step)).toEqual(['ipv4-off', 'ipv4-on', 'ipv6-off', 'ipv6-on'])
  })

  it('stops on SIGINT, restores the testbed, and reports that the lab did not complete', async () => {
    const data = await dataFolder()
    let stopped = false
    const { code, err } = await lab(
      data,
      ['big-tcp-ipv4', '--repeats', '3', '--duration', '60'],
      {},
      (progress, kill) => {
        if (stopped || !progress.includes(' TPS')) return
        stopped = true
        kill('SIGINT')
      },
    )
    expect(code).toBe(130)
    expect(err).toContain('The testbed is restored')
  })
})
