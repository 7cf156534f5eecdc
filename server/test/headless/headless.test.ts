/** The headless command as scripts use it: a process, its exit code, its streams and its file. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { experimentsResult, labResult } from '@expresslane/shared/wire/headless'
import { BIG_TCP_CAP, LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const command = join(import.meta.dirname, '../../src/headless.ts')
let data: string

interface Ended {
  code: number | null
  out: string
  err: string
}

/** @param onProgress sees the progress so far, and the process to signal */
function lab(
  argv: string[],
  env: Record<string, string> = {},
  onProgress: (err: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...argv], {
      env: { ...process.env, EXPRESSLANE_DATA: data, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ended.err += text
      onProgress(ended.err, (signal) => child.kill(signal))
    })
    child.on('error', reject).on('close', (code) => resolve({ code, ...ended }))
  })
}

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'expresslane-headless-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

describe('npm run lab', () => {
  it('lists the labs on stdout and nothing else', async () => {
    const { code, out } = await lab(['--list'])
    expect(code).toBe(0)
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(['big-tcp-ipv4', 'big-tcp-ipv6', 'how-big', 'one-stream', 'jumbo-or-big-tcp', 'see-the-packets'])
  })

  it.each([
    [['no-such-lab'], 'There is no lab'],
    [['big-tcp-ipv4', '--repeats', '0'], '--repeats takes 1 to 50'],
    [['big-tcp-ipv4', '--context', 'kind-kind'], '--context goes with --testbed kubernetes'],
    [['big-tcp-ipv4', '--placement', 'next-door'], '--placement takes other-node'],
    [['big-tcp-ipv4', '--duration', '1.5'], '--duration 1 to 120'],
    [['big-tcp-ipv4', '--testbed', 'moon'], 'no testbed "moon"'],
    [['big-tcp-ipv4', '--frob'], 'not understood'],
    [[], 'Name the lab'],
  ])('refuses %j with the usage', async (argv, message) => {
    const { code, err } = await lab(argv)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain('npm run lab --')
  })

  it.each(['ipv4', 'ipv6'] as const)('runs the whole %s lab and writes its result', async (family) => {
    const file = join(data, 'result.json')
    const { code, err } = await lab([`big-tcp-${family}`, '--repeats', '2', '--duration', '1', '--json', file])
    expect(err).toContain('12. Restore')
    expect(code).toBe(0)
    const result = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    const [off, on] = result.arms
    expect([off?.id, on?.id]).toEqual(['off', 'on'])
    expect(off?.measurements).toHaveLength(2)
    expect(on?.measurements).toHaveLength(2)
    expect(Math.round(off?.packetsPerRequest ?? Number.NaN)).toBe(2)
    expect(Math.round(on?.packetsPerRequest ?? Number.NaN)).toBe(1)
    const limit = family === 'ipv4' ? 'gsoIpv4MaxSize' : 'gsoMaxSize'
    const other = family === 'ipv4' ? 'gsoMaxSize' : 'gsoIpv4MaxSize'
    const pods = (arm: typeof on) => arm?.readings.filter((one) => one.where.startsWith('pod')) ?? []
    expect(pods(off).map((one) => one[limit])).toEqual([LEGACY_MAX_SIZE, LEGACY_MAX_SIZE])
    expect(pods(on).map((one) => one[limit])).toEqual([BIG_TCP_CAP, BIG_TCP_CAP])
    expect(pods(on).map((one) => one[other])).toEqual([LEGACY_MAX_SIZE, LEGACY_MAX_SIZE])
  })

  it('runs an experiment lab as it is asked to, and writes every measurement and comparison', async () => {
    const file = join(data, 'result.json')
    const options = ['--repeats', '1', '--duration', '1', '--warmups', '0', '--order', 'sequential']
    const { code, err } = await lab(['jumbo-or-big-tcp', ...options, '--json', file])
    expect(err).toContain('5. Restore')
    expect(code).toBe(0)
    const { experiments, captures } = experimentsResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(captures).toEqual([])
    const [one] = experiments
    expect(one?.plan.design).toMatchObject({ order: 'sequential', repeats: 1, seconds: 1, warmups: 0 })
    expect(one?.measurements.map(({ arm, caseId }) => `${arm} ${caseId}`)).toEqual(
      ['mtu1500-off', 'mtu1500-on', 'mtu9000-off', 'mtu9000-on'].flatMap((arm) => [`${arm} rr`, `${arm} stream`]),
    )
    expect(one?.measurements.map(({ fingerprint }) => [fingerprint?.mtu, fingerprint?.setting.ipv4])).toEqual(
      [1500, 1500, 9000, 9000].flatMap((mtu, arm) => [0, 1].map(() => [mtu, arm % 2 === 1])),
    )
    expect(one?.comparisons).toHaveLength(6)
    expect(one?.comparisons.map(({ comparison }) => comparison.verdict)).toEqual(Array(6).fill('too-few'))
  })

  it('captures a request’s packets, and tells them', async () => {
    const file = join(data, 'result.json')
    const { code, err } = await lab(['see-the-packets', '--json', file])
    expect(err).toContain('IPv4 off: a request of 65,160 + 14,840 bytes')
    expect(err).toContain('IPv6 on: a request of 80,000 bytes')
    expect(code).toBe(0)
    const { experiments, captures } = experimentsResult.parse(JSON.parse(await readFile(file, 'utf8')))
    expect(experiments).toEqual([])
    expect(captures.map(({ step }) => step)).toEqual(['ipv4-off', 'ipv4-on', 'ipv6-off', 'ipv6-on'])
  })

  it('stops on SIGINT, puts the testbed back, and says that it did not complete', async () => {
    let told = false
    const { code, err } = await lab(['big-tcp-ipv4', '--repeats', '3', '--duration', '60'], {}, (progress, kill) => {
      if (told || !progress.includes(' TPS')) return
      told = true
      kill('SIGINT')
    })
    expect(code).toBe(130)
    expect(err).toContain('The testbed was put back')
  })

  it('refuses recordings while none is chosen, and claims to have put nothing back', async () => {
    const { code, err } = await lab(['big-tcp-ipv4', '--testbed', 'recording'])
    expect(code).toBe(1)
    expect(err).toContain('context_not_chosen')
    expect(err).not.toContain('put back')
  })

  it('refuses a file that it could not write, before it measures', async () => {
    const { code, err } = await lab(['big-tcp-ipv4', '--json', join(data, 'no-such-directory', 'result.json')])
    expect(code).toBe(2)
    expect(err).toContain("can't be written")
    expect(err).not.toContain('Preflight')
  })

  it('names the missing tool and the remedy', async () => {
    const { code, err } = await lab(['big-tcp-ipv4', '--repeats', '1', '--duration', '1'], { PATH: '/nowhere' })
    expect(code).toBe(1)
    expect(err).toMatch(/FAILED/)
    expect(err).toMatch(/apt|install/i)
  })
})
