import { expect, test } from 'vitest'
import { createPlaces, mostMachines, type Tenant } from '../../../src/testbeds/counted/places.ts'

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

test('another machine takes the place of the machine that was not used for the longest', async () => {
  const places = createPlaces(3, () => 100_000)
  const [short, long, busy] = [tenant(50_000), tenant(20_000), tenant(null)]
  for (const one of [short, long, busy]) (await places.take()).move(one)
  await places.take()
  expect([short, long, busy].map(({ closed }) => closed)).toEqual([false, true, false])
})

test('no machine loses its place while it boots, is used, or was just used', async () => {
  const places = createPlaces(3, () => 100_000)
  await places.take()
  for (const one of [tenant(null), tenant(99_000)]) (await places.take()).move(one)
  await expect(places.take()).rejects.toMatchObject({ code: 'testbed_unavailable' })
})

test('a place that was left is free', async () => {
  const places = createPlaces(1)
  const place = await places.take()
  place.leave()
  place.move(tenant(null))
  await places.take()
  await expect(places.take()).rejects.toMatchObject({ code: 'testbed_unavailable' })
})
