import { describe, expect, it } from 'vitest'
import { stepMove } from '../../src/session/keys.ts'
import { press } from '../key-press.ts'

describe('stepMove', () => {
  it('walks with arrows, j and k, and space', () => {
    expect(['ArrowRight', 'j', ' '].map((key) => stepMove(press(key), 'page'))).toEqual(['next', 'next', 'next'])
    expect(['ArrowLeft', 'k'].map((key) => stepMove(press(key), 'page'))).toEqual(['previous', 'previous'])
    expect(stepMove(press(' ', { shiftKey: true }), 'page')).toBe('previous')
  })

  it('does not handle keys in a field, or space on a button', () => {
    expect(['ArrowRight', 'j', ' '].map((key) => stepMove(press(key), 'control'))).toEqual([null, null, null])
    expect(stepMove(press(' '), 'pressable')).toBeNull()
    expect(stepMove(press('ArrowRight'), 'pressable')).toBe('next')
  })

  it("leaves the browser's own shortcuts and keys that someone has used alone", () => {
    expect(stepMove(press('ArrowLeft', { altKey: true }), 'page')).toBeNull()
    expect(stepMove(press('j', { ctrlKey: true }), 'page')).toBeNull()
    expect(stepMove(press(' ', { defaultPrevented: true }), 'page')).toBeNull()
    expect(stepMove(press('Enter'), 'page')).toBeNull()
  })

  it('presents with p, but not in a field', () => {
    expect([stepMove(press('p'), 'page'), stepMove(press('p'), 'control')]).toEqual(['present', null])
  })
})
