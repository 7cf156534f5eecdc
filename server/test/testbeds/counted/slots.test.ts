import { expect, test } from 'vitest'
import { createSlots, mostMachines, type Tenant } from '../../../src/testbeds/counted/slots.ts'

const GIB = 1024 ** 3

function tenant(idleSince: number | null): Tenant & { closed: boolean } {
  const one = {
    closed: false,
    idleSince: () => idleSince,
    async close() {
      one.closed = true
    },
  }
  return one
}

test('half of the memory is for counted machines, and at least two can run', () => {
  expect([1, 4, 16, 64].map((gib) => mostMachines(gib * GIB))).toEqual([2, 3, 15, 63])
})

test('another machine takes the slot of the machine that was not used for the longest', async () => {
  const slots = createSlots(3, () => 100_000)
  const [short, long, busy] = [tenant(50_000), tenant(20_000), tenant(null)]
  for (const one of [short, long, busy]) (await slots.take()).move(one)
  await slots.take()
  expect([short, long, busy].map(({ closed }) => closed)).toEqual([false, true, false])
})

test('no machine loses its slot while it boots, is used, or was just used', async () => {
  const slots = createSlots(3, () => 100_000)
  await slots.take()
  for (const one of [tenant(null), tenant(99_000)]) (await slots.take()).move(one)
  await expect(slots.take()).rejects.toMatchObject({ code: 'testbed_unavailable' })
})

test('a slot that was left is free', async () => {
  const slots = createSlots(1)
  const slot = await slots.take()
  slot.leave()
  slot.move(tenant(null))
  await slots.take()
  await expect(slots.take()).rejects.toMatchObject({ code: 'testbed_unavailable' })
})
