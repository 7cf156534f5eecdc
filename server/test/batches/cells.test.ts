/** The cells of a batch, and their commands. */
import { join } from 'node:path'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { describe, expect, it } from 'vitest'
import { requireInPods } from '../../src/batches/in-cluster.ts'
import { argumentsFor, cellsOf, nameOf } from '../../src/batches/cells.ts'
import { digestOf } from '../../src/labs/catalogue.ts'
import { readArguments } from '../../src/headless/arguments.ts'
import { readLabFolder } from '../../src/labs/folder.ts'

const shipped = readLabFolder(join(import.meta.dirname, '../../../labs')).files.flatMap(({ labs }) =>
  labs.map((one) => one.lab),
)

function labNamed(id: string) {
  const found = shipped.find((one) => one.id === id)
  if (found === undefined) throw new Error(`there is no lab ${id}`)
  return found
}

const sweep = labNamed('how-big')
const old = '6.9.1+deb12-cloud-amd64'
const young = '6.12.43+deb12-cloud-amd64'

it('refuses a lab that the image of the pods does not have', () => {
  expect(() => requireInPods({ id: 'mine', origin: 'own' })).toThrow('do not have your own lab mine')
  expect(() => requireInPods({ id: 'big-tcp-ipv4', origin: 'shipped' })).not.toThrow()
})

describe('the cells of a batch', () => {
  it('are each case on each kernel, the oldest kernel first', () => {
    const cells = cellsOf(sweep, [young, old, young], null)
    const ids = labOn(sweep, 'counted').steps.flatMap(({ action }) =>
      action?.kind === 'experiment' ? (action.plan?.cases.map(({ id }) => id) ?? []) : [],
    )
    expect(ids.length).toBeGreaterThan(3)
    expect(cells).toEqual([old, young].flatMap((kernel) => ids.map((id) => ({ kernel, case: id }))))
    expect(cellsOf(sweep, [old], ids[1] ?? '')).toEqual([{ kernel: old, case: ids[1] }])
  })

  it('are a whole lab each where it has no experiment, or several', () => {
    for (const id of ['big-tcp-ipv4', 'pod-devices'])
      expect(cellsOf(labNamed(id), [null], null)).toEqual([{ kernel: null, case: null }])
  })

  it('do not exist for other cases', () => {
    expect(() => cellsOf(sweep, [null], 'none')).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
    expect(() => cellsOf(labNamed('pod-devices'), [null], 'ipv4')).toThrow('has no case “ipv4”')
  })

  it('have names that are different, and commands that this program understands', () => {
    const cells = cellsOf(sweep, [null, old], null)
    expect(new Set(cells.map(nameOf)).size).toBe(cells.length)
    const cell = { kernel: old, case: 'rr-1' }
    const params = { switchOff: true, repeats: 2, seconds: 0.5, warmups: 0, order: 'sequential' as const }
    expect(readArguments(argumentsFor('how-big', params, cell, '/x/r.json'))).toEqual({
      what: 'lab',
      labId: 'how-big',
      testbed: 'counted',
      context: null,
      json: '/x/r.json',
      params: { ...params, cases: ['rr-1'] },
      opinion: false,
      open: null,
      profile: null,
    })
  })

  it('belong to an edition of the lab', () => {
    expect(digestOf(sweep)).toBe(digestOf(structuredClone(sweep)))
    expect(digestOf({ ...sweep, title: 'Another' })).not.toBe(digestOf(sweep))
  })
})
