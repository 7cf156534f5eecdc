// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { encode } from 'uqr'
import { afterEach, expect, it } from 'vitest'
import { QrCode } from '../../src/components/qr/qr-code.tsx'

afterEach(cleanup)

/** The dark modules that a path of `Mx yhWIDTHv1Hxz` rectangles covers, as `x,y`. */
function darkModules(path: string): Set<string> {
  const dark = new Set<string>()
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let at = 0; at < Number(width); at += 1) dark.add(`${Number(x) + at},${y}`)
  }
  return dark
}

it('draws every module of the code once, with the margin that readers need', () => {
  const text = 'http://192.168.1.20:7070/j/4f9aGz-0LqWm81xTzR2v'
  render(<QrCode text={text} label="Join" />)
  const code = screen.getByRole('img', { name: 'Join' })
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const expected = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x + 4},${y + 4}`] : [])))
  expect(code.getAttribute('viewBox')).toBe(`0 0 ${size + 8} ${size + 8}`)
  expect([...darkModules(code.querySelector('path')?.getAttribute('d') ?? '')].toSorted()).toEqual(expected.toSorted())
})
