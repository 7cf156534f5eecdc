/** The arguments that `npm run lab` accepts. */
import type { LabError } from '@expresslane/shared/base/errors'
import { placementVariant } from '@expresslane/shared/testbed/placement'
import { describe, expect, it } from 'vitest'
import { help, readArguments, usage, type Arguments } from '../../src/headless/arguments.ts'

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
    [['how-big', '--case', 'No Case'], '--case accepts the id of a case'],
    [['how-big', '--kernels', 'all'], 'A batch needs --testbed counted'],
    [['how-big', '--testbed', 'counted', '--kernels', '6.12.1,/etc/passwd'], 'Kernels are releases as'],
    [['how-big', '--testbed', 'counted', '--parallel', '51'], '--parallel 1 to 50'],
    [['how-big', '--testbed', 'counted', '--engine', 'moon'], '--engine accepts local or kubernetes'],
    [['how-big', '--testbed', 'counted', '--to', 'x', '--json', 'y'], 'A batch has no --json'],
    [['how-big', '--testbed', 'counted', '--to', 'x', '--context', 'y'], '--context needs --engine kubernetes'],
    [['how-big', '--open=page.txt'], "A page's file ends in .html"],
    [['how-big', '--open', 'page.txt'], 'Name only one lab'],
    [['rehearse', 'how-big', '--open'], 'A rehearsal has no --open'],
    [['how-big', '--testbed', 'counted', '--to', 'x', '--open'], 'A batch has no --open'],
    [['open'], 'Name one recording'],
    [['open', 'a.jsonl', 'a.txt'], "A page's file ends in .html"],
    [['bisect', 'how-big', '6.12.1'], 'bisect needs a lab and two kernels'],
    [['bisect', 'how-big', '6.12.1', 'newest'], 'Kernels are releases as'],
    [['bisect', 'how-big', '6.12.1', '6.12.2', '--engine', 'local'], 'and measures here'],
  ])('refuses %j with the usage', (argv, message) => {
    const refused = (): unknown => readArguments(argv)
    expect(refused).toThrow(expect.objectContaining({ code: 'bad_request', remedy: usage }) as LabError)
    expect(refused).toThrow(message)
  })

  it('measures only a case', () => {
    const { params } = readArguments(['how-big', '--case', 'rr-1']) as Extract<Arguments, { what: 'lab' }>
    expect(params).toMatchObject({ cases: ['rr-1'] })
  })

  it.each([
    [['how-big', '--open'], { what: 'lab', open: { name: null } }],
    [['--open', 'how-big'], { what: 'lab', open: { name: null } }],
    [['how-big', '--open', 'page.html', '--repeats', '2'], { what: 'lab', open: { name: 'page.html' } }],
    [['how-big'], { what: 'lab', open: null }],
    [['open', 'a.jsonl'], { what: 'open', recording: 'a.jsonl', page: { name: null } }],
    [['open', 'a.jsonl', 'b.html'], { what: 'open', recording: 'a.jsonl', page: { name: 'b.html' } }],
  ])('takes the name of a page as it comes: %j', (argv, expected) => {
    expect(readArguments(argv)).toMatchObject(expected)
  })

  it('makes a batch of any of its options, with a folder for its results', () => {
    const counted = ['how-big', '--testbed', 'counted']
    expect(readArguments([...counted, '--engine', 'kubernetes', '--parallel', '20'])).toEqual({
      what: 'batch',
      bisects: false,
      labId: 'how-big',
      params: { switchOff: true },
      case: null,
      to: 'batch-how-big',
      context: null,
      kernels: null,
      engine: 'kubernetes',
      parallel: 20,
    })
    const few = readArguments([...counted, '--kernels', '6.12.43+deb12-cloud-amd64,7.0~rc1-x', '--case', 'rr-1'])
    expect(few).toMatchObject({
      kernels: ['6.12.43+deb12-cloud-amd64', '7.0~rc1-x'],
      case: 'rr-1',
      engine: 'local',
      parallel: 1,
    })
    expect(readArguments([...counted, '--kernels', 'all'])).toMatchObject({ what: 'batch', kernels: 'all' })
  })

  it('bisects between two kernels', () => {
    expect(readArguments(['bisect', 'how-big', '6.12.1', '7.0.2', '--repeats', '4', '--to', 'x'])).toEqual({
      what: 'batch',
      bisects: true,
      labId: 'how-big',
      params: { switchOff: true, repeats: 4 },
      case: null,
      to: 'x',
      context: null,
      kernels: ['6.12.1', '7.0.2'],
      engine: 'local',
      parallel: 1,
    })
  })

  it.each(['--help', '-h'])('has %s, which lists every option', (option) => {
    expect(readArguments([option])).toEqual({ what: 'help' })
    for (const one of ['testbed', 'context', 'json', 'repeats', 'duration', 'warmups', 'order', 'placement', 'opinion'])
      expect(help).toContain(`--${one} `)
    for (const placement of placementVariant.options) expect(help).toContain(placement)
  })
})
