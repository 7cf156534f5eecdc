import { expect, it, describe } from 'vitest'
import { cpuWords } from '../../src/features/cpu-placement.ts'
import { capitalized, roleName } from '../../src/features/words.ts'

describe('the beginning of a sentence', () => {
  it.each([
    ['with BIG TCP', 'With BIG TCP'],
    ['before', 'Before'],
    ['', ''],
  ])('%j becomes %j', (text, begun) => {
    expect(capitalized(text)).toBe(begun)
  })

  it.each(['iptables', 'nftables, 5,000 services', 'netperf TCP_RR over IPv4', 'XDP'])(
    'leaves “%s” as it is',
    (text) => {
      expect(capitalized(text)).toBe(text)
    },
  )

  it('takes no longer word for such a name', () => {
    expect(capitalized('netperfect')).toBe('Netperfect')
  })
})

describe('the CPUs of the pods', () => {
  it.each([
    [{}, 'chosen by the scheduler'],
    [{ client: 1, server: 1 }, 'one CPU for client and server (client on CPU 1, server on CPU 1)'],
    [{ client: 0, server: 1 }, 'one CPU each (client on CPU 0, server on CPU 1)'],
    [
      { client: 1, forwarder: 1, backend: 1 },
      'one CPU for client, node and backend (client on CPU 1, node on CPU 1, backend on CPU 1)',
    ],
  ])('%j: %s', (cpus, words) => {
    expect(cpuWords(cpus)).toBe(words)
  })

  it('names a role as its feature does, and any other by its id', () => {
    expect(['forwarder', 'client', 'gateway'].map(roleName)).toEqual(['node', 'client', 'gateway'])
  })
})
