import { expect, it } from 'vitest'
import { KERNEL, observeKernel, OTHER, withRelease } from '../../src/features/kernel.ts'
import { areOfOtherMachines, resolveSettings, settingIssues, valuesNotOffered } from '../../src/features/settings.ts'

const [NEW, OLD] = ['6.12.117+deb12-cloud-amd64', '6.12.43+deb12-cloud-amd64']

it.each([
  [{ [KERNEL]: OLD }, { [KERNEL]: OLD }, true],
  [{ [KERNEL]: OLD }, { [KERNEL]: null }, false],
  [{ [KERNEL]: OLD }, {}, false],
  [{ [KERNEL]: null }, { [KERNEL]: null }, true],
  [{ [KERNEL]: null }, { [KERNEL]: OLD }, false],
  [{}, { [KERNEL]: null }, true],
])('a kernel is proven by what it says itself: wanted %j, read %j', (wanted, carried, ok) => {
  expect(observeKernel(wanted, { carried }).map((one) => one.ok)).toEqual([ok])
})

it('nothing is to be proven where there is no choice', () => {
  expect(observeKernel({ [KERNEL]: null }, { carried: {} })).toEqual([])
})

it('is off for arms that do not name it, of any feature', () => {
  expect(resolveSettings({ settings: {} }, ['ipv4'], { feature: 'pod-devices' })).toMatchObject({ [KERNEL]: null })
  expect(
    Object.keys(resolveSettings({ settings: { [KERNEL]: OLD } }, ['ipv4'], { feature: 'pod-devices' })),
  ).not.toContain('big-tcp-ipv4')
})

it('is another machine with another value', () => {
  expect(areOfOtherMachines({}, { [KERNEL]: OLD })).toBe(true)
  expect(areOfOtherMachines({ [KERNEL]: null, 'big-tcp-ipv4': true }, { 'big-tcp-ipv4': false })).toBe(false)
})

it('has to be one that the testbed offers', () => {
  const choices = { [KERNEL]: [NEW, OLD] }
  expect(valuesNotOffered({ [KERNEL]: OLD }, choices)).toEqual([])
  expect(valuesNotOffered({ [KERNEL]: null }, choices)).toEqual([])
  expect(valuesNotOffered({ [KERNEL]: '6.1' }, choices)).toEqual([
    `Kernel 6.1 is not here. Those that are: ${NEW}, ${OLD}.`,
  ])
  expect(settingIssues({ [KERNEL]: '../etc' })).toHaveLength(1)
})

it('of an arm can be another one than the default, which is named where it is measured', () => {
  const arm = { label: 'Old', settings: { [KERNEL]: OTHER, 'pod-device': 'veth' } }
  expect(withRelease(arm, [NEW, OLD])).toEqual({
    label: 'Old, 6.12.43+deb12',
    settings: { [KERNEL]: OLD, 'pod-device': 'veth' },
  })
  expect(withRelease(arm, [])).toBe(arm)
  expect(withRelease({ label: 'New', settings: {} }, [NEW, OLD])).toEqual({ label: 'New', settings: {} })
})
