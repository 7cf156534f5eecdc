/** The lab's probes on a gateway in a real kernel: what they find, and that they fail when nobody translates. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { compareHeaders } from '@expresslane/shared/measure/ip/header-changes'
import { bytesOfHex } from '@expresslane/shared/measure/packet'
import type { ProbeId } from '@expresslane/shared/features/nat64/probes'
import type { Translator } from '@expresslane/shared/features/nat64/translators'
import { afterAll, describe, expect, test } from 'vitest'
import { probe } from '../../../src/runs/actions/probe.ts'
import type { ActionOutcome } from '../../../src/runs/perform/step-context.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { gateway } from '../../../src/features/nat64/topology.ts'
import { note } from '../../contract/contract-kit.ts'
import { labs } from '../../support/runs/labs.ts'
import { performanceOn, type notedTask } from '../../support/runs/perform.ts'

type Kind<K extends Exhibit['kind']> = Extract<Exhibit, { kind: K }>

interface Found {
  readonly outcome: ActionOutcome
  readonly exhibits: readonly Exhibit[]
  /** The first of a kind. */
  readonly first: <K extends Exhibit['kind']>(kind: K) => Kind<K>
  readonly commands: readonly string[]
}

const isOf = <K extends Exhibit['kind']>(one: Exhibit, kind: K): one is Kind<K> => one.kind === kind

/**
 * @param wanted the translators that this user and this kernel can have
 * @param machine where; none for this machine
 */
export function probesContract(wanted: readonly Translator[], machine?: Machine): void {
  const testbed = netnsTestbed({ topology: gateway, ...(machine === undefined ? {} : { machine }) })
  afterAll(() => testbed.close())

  async function look(id: ProbeId, arms: readonly Translator[], ...task: Parameters<typeof notedTask>): Promise<Found> {
    const lab = labs.find((one) => one.id === 'nat64')
    if (lab === undefined) throw new Error('the lab is gone')
    const performance = performanceOn(testbed, ...task)
    const outcome = await probe({ kind: 'probe', probe: id, arms: [...arms] }, { ...performance, lab })
    const exhibits = performance.events.flatMap((event) => (event.type === 'exhibit.found' ? [event.exhibit] : []))
    return {
      outcome,
      exhibits,
      first(kind) {
        const found = exhibits.find((one) => isOf(one, kind))
        if (found === undefined || !isOf(found, kind)) throw new Error(`no ${kind} was shown`)
        return found
      },
      commands: performance.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : [])),
    }
  }

  test('a name without an IPv6 address gets one from DNS64, and each resolver is started once', async () => {
    const { outcome, exhibits, first } = await look('names', ['none'])
    expect(outcome.observations.filter(({ ok }) => !ok)).toEqual([])
    expect(outcome.passed).toBe(true)
    expect(first('address')).toMatchObject({ ipv4: '10.46.2.2', ipv6: 'fd64:ff9b::a2e:202', prefixBits: 96 })
    expect(first('table').rows.map((row) => row.slice(1))).toEqual([
      ['A', 'plain resolver', '10.46.2.2'],
      ['AAAA', 'plain resolver', 'no such record'],
      ['AAAA', 'DNS64 resolver', 'fd64:ff9b::a2e:202'],
      ['AAAA', 'DNS64 resolver', 'fd46:2::2'],
    ])
    const again = await look('names', ['none'])
    expect(again.exhibits).toEqual(exhibits)
    expect(again.commands.filter((typed) => typed.includes('unbound'))).toEqual([])
    expect(again.commands.filter((typed) => typed.includes('netns add'))).toEqual([])
  })

  test('without a translator no page opens, and the pods are removed', async () => {
    await expect(look('ipv6-page', ['none'])).rejects.toMatchObject({ code: 'tool_failed' })
    expect((await testbed.read(note())).placement).toBeNull()
  })

  const stateless = wanted.filter((one) => one === 'tayga' || one === 'bpf-stateless')
  describe.skipIf(stateless.length === 0).each(stateless)('%s', (translator) => {
    test('leads an IPv6 client to the IPv4-only page, and its request has other addresses on each side', async () => {
      const { outcome, first } = await look('ipv4-page', [translator])
      expect(outcome.observations.filter(({ ok }) => !ok)).toEqual([])
      expect(first('page')).toMatchObject({ status: 200, url: 'http://[fd64:ff9b::a2e:202]/' })
      expect(first('page').text).toContain("You've reached an IPv4-only page\nThis server sees you as 10.99.0.2")
      const { before, after } = first('packets')
      const changes = compareHeaders(
        bytesOfHex(before.head) ?? new Uint8Array(),
        bytesOfHex(after.head) ?? new Uint8Array(),
      )
      const sides = (key: string) => {
        const change = changes?.find((one) => one.key === key)
        return [change?.before?.value, change?.after?.value]
      }
      expect(sides('version')).toEqual(['6', '4'])
      expect(sides('source')).toEqual(['fd46:1::2', '10.99.0.2'])
      expect(sides('destination')).toEqual(['fd64:ff9b::a2e:202', '10.46.2.2'])
      const [had, has] = sides('destinationPort')
      expect([had, has]).toEqual(['80', '80'])
      const [hops = '', lives = ''] = sides('hopLimit')
      expect(Number(hops) - Number(lives)).toBeGreaterThan(0)
    })

    test('lets the IPv6-only server see the client’s own address', async () => {
      const { outcome, first } = await look('ipv6-page', [translator])
      expect(outcome.observations.filter(({ ok }) => !ok)).toEqual([])
      expect(first('page')).toMatchObject({ status: 200, url: 'http://10.99.0.3/' })
      expect(first('address')).toMatchObject({ ipv6: 'fd64:ff9b::a2e:102', ipv4: '10.46.1.2' })
    })

    test('reports that a packet is too big, unless ICMP errors are dropped, and leaves the gateway as it was', async () => {
      const { outcome, first } = await look('large-packets', [translator])
      expect(outcome.observations.filter(({ ok }) => !ok)).toEqual([])
      const back = first('table').rows.map((row) => row.at(-1))
      const tooBig = 'too big, 1,480 bytes fit, says 10.46.1.1'
      expect(back).toEqual(['answered', tooBig, 'silence', ...(translator === 'tayga' ? [] : ['answered'])])
      const again = await look('large-packets', [translator])
      expect(again.first('table')).toEqual(first('table'))
    })
  })

  describe.skipIf(!wanted.includes('bpf-stateful'))('bpf-stateful', () => {
    test('shows the server one address for all, and its map knows whose connection it is', async () => {
      const { outcome, first, exhibits } = await look('ipv6-page', ['bpf-stateful'])
      expect(outcome.observations.filter(({ ok }) => !ok)).toEqual([])
      expect(first('page').text).toContain('sees you as fd46:64::9')
      const map = exhibits.findLast((one) => isOf(one, 'table'))
      const own = map !== undefined && isOf(map, 'table') ? map.rows[0] : []
      expect(own?.[2]).toMatch(/^TCP, \w+$/)
      expect(own?.[0]).toMatch(/^10\.46\.1\.2:\d+ → 10\.99\.0\.3:80$/)
      expect(own?.[1]).toMatch(/^\[fd46:64::9\]:\d+ → \[fd46:2::2\]:80$/)
    })
  })

  test('a cancel while it asks removes the pods', async () => {
    const cancel = new AbortController()
    const reason = new Error('cancelled')
    const asks = (event: RunEvent): boolean => event.type === 'command.started' && event.typed.includes('drill')
    const pending = look('names', ['none'], cancel.signal, (event) => {
      if (asks(event)) cancel.abort(reason)
    })
    await expect(pending).rejects.toBe(reason)
    expect((await testbed.read(note())).placement).toBeNull()
  })

  test('a probe that the testbed can’t do is left out, and says why', async () => {
    const lacking = {
      ...testbed,
      primitives: { ...testbed.primitives, tun: 'It has none.', bpf: 'It has none.', pages: 'It has none.' },
    }
    const lab = labs.find((one) => one.id === 'nat64')
    if (lab === undefined) throw new Error('the lab is gone')
    const outcome = await probe(
      { kind: 'probe', probe: 'ipv6-page', arms: ['bpf-stateless', 'tayga'] },
      { ...performanceOn(lacking), lab },
    )
    expect(outcome).toMatchObject({ passed: true, leftOut: true, observations: [] })
    expect(outcome.sentence).toMatch(/^This testbed can’t do this step, so it is left out\. ./)
  })
}
