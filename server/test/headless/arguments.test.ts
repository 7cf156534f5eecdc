/** The arguments that `npm run lab` accepts. */
import type { LabError } from '@expresslane/shared/base/errors'
import { placementVariant } from '@expresslane/shared/testbed/placement'
import { describe, expect, it } from 'vitest'
import { help, readArguments, usage } from '../../src/headless/arguments.ts'

describe('the arguments of npm run lab', () => {
  it.each([
    [['big-tcp-ipv4', '--repeats', '0'], '--repeats accepts 1 to 50'],
    [['big-tcp-ipv4', '--context', 'kind-kind'], '--context needs --testbed kubernetes'],
    [['big-tcp-ipv4', '--placement', 'next-door'], '--placement accepts other-node'],
    [['big-tcp-ipv4', '--duration', '1.25'], '--duration 0.5 to 120'],
    [['big-tcp-ipv4', '--testbed', 'moon'], 'testbed "moon" does not exist'],
    [['big-tcp-ipv4', '--testbed', 'counted', '--opinion'], '--opinion needs --testbed netns'],
    [['big-tcp-ipv4', '--frob'], 'arguments are not valid'],
    [[], 'Name the lab'],
    [['check'], 'Name the files'],
    [['rehearse'], 'Name the lab to rehearse'],
    [['rehearse', 'big-tcp-ipv4', 'big-tcp-ipv6'], 'Name only one lab'],
  ])('refuses %j with the usage', (argv, message) => {
    const refused = (): unknown => readArguments(argv)
    expect(refused).toThrow(expect.objectContaining({ code: 'bad_request', remedy: usage }) as LabError)
    expect(refused).toThrow(message)
  })

  it.each(['--help', '-h'])('has %s, which lists every option', (option) => {
    expect(readArguments([option])).toEqual({ what: 'help' })
    for (const one of ['testbed', 'context', 'json', 'repeats', 'duration', 'warmups', 'order', 'placement', 'opinion'])
      expect(help).toContain(`--${one} `)
    for (const placement of placementVariant.options) expect(help).toContain(placement)
  })
})
