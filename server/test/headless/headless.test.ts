/** The headless command without a testbed: refusals, lists and reports. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { help } from '../../src/headless/arguments.ts'
import { dataFolder, lab } from './lab-process.ts'

describe('npm run lab', () => {
  it('lists the labs on stdout and nothing else', async () => {
    const data = await dataFolder()
    const { code, out } = await lab(data, ['--list'])
    expect(code).toBe(0)
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual([
      'big-tcp-ipv4',
      'big-tcp-ipv6',
      'how-big',
      'jumbo-or-big-tcp',
      'one-stream',
      'through-a-tunnel',
      'encryption',
      'see-the-packets',
      'bare-cluster',
      'nodeport-rate',
      'nodeport-services',
      'nodeport-cpu',
      'nodeport-cluster',
      'load-balancing',
      'socket-lb',
      'pod-devices',
      'pod-limit',
      'long-paths',
      'nat64',
      'nat64-cluster',
    ])
  })

  it.each([
    [['no-such-lab'], 'The lab "no-such-lab" does not exist'],
    [['big-tcp-ipv4', '--frob'], 'The arguments are not valid'],
  ])('refuses %j with the usage', async (argv, message) => {
    const data = await dataFolder()
    const { code, err } = await lab(data, argv)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain('npm run lab --')
  })

  it('prints its help on stdout', async () => {
    const data = await dataFolder()
    expect(await lab(data, ['--help'])).toEqual({ code: 0, out: `${help}\n`, err: '' })
  })

  it('refuses recordings if none is chosen, and does not claim to have restored anything', async () => {
    const data = await dataFolder()
    const { code, err } = await lab(data, ['big-tcp-ipv4', '--testbed', 'recording'])
    expect(code).toBe(1)
    expect(err).toContain('context_not_chosen')
    expect(err).not.toMatch(/put back|restored/)
  })

  it('refuses a file that it can not write, before it measures', async () => {
    const data = await dataFolder()
    const { code, err } = await lab(data, ['big-tcp-ipv4', '--json', join(data, 'no-such-directory', 'result.json')])
    expect(code).toBe(2)
    expect(err).toContain("Expresslane can't write")
    expect(err).not.toContain('Preflight')
  })

  it('names the missing tool and the remedy', async () => {
    const data = await dataFolder()
    const { code, err } = await lab(data, ['big-tcp-ipv4', '--repeats', '1', '--duration', '1'], { PATH: '/nowhere' })
    expect(code).toBe(1)
    expect(err).toMatch(/FAILED/)
    expect(err).toMatch(/apt|install/i)
  })
})
