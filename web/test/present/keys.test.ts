import { describe, expect, it } from 'vitest'
import { keyHelp, leadKey } from '../../src/present/keys.ts'
import { press } from '../key-press.ts'

describe('leadKey', () => {
  it('takes what clickers send', () => {
    expect(['PageDown', 'ArrowRight', ' '].map((key) => leadKey(press(key), 'page'))).toEqual(Array(3).fill('advance'))
    expect(['PageUp', 'ArrowLeft'].map((key) => leadKey(press(key), 'page'))).toEqual(['previous', 'previous'])
    expect(['.', 'b'].map((key) => leadKey(press(key), 'page'))).toEqual(['blank', 'blank'])
  })

  it('runs nothing with shift', () => {
    expect(leadKey(press('ArrowRight', { shiftKey: true }), 'page')).toBe('next')
    expect(leadKey(press(' ', { shiftKey: true }), 'page')).toBe('previous')
  })

  it('takes letters in either case, since caps lock may be on', () => {
    expect([leadKey(press('l'), 'page'), leadKey(press('L'), 'page')]).toEqual(['path', 'path'])
  })

  it('leaves a focused button its keys, a field all of them but Escape', () => {
    expect([leadKey(press(' '), 'pressable'), leadKey(press('Enter'), 'pressable')]).toEqual([null, null])
    expect(leadKey(press('PageDown'), 'pressable')).toBe('advance')
    expect([leadKey(press('a'), 'control'), leadKey(press('Escape'), 'control')]).toEqual([null, 'leave'])
  })

  it("leaves the browser's own shortcuts alone", () => {
    expect(leadKey(press('r', { ctrlKey: true }), 'page')).toBeNull()
    expect(leadKey(press('F5'), 'page')).toBeNull()
  })

  it('is listed whole', () => {
    const shown: Readonly<Record<string, string>> = {
      '→': 'ArrowRight',
      '←': 'ArrowLeft',
      '↓': 'ArrowDown',
      '↑': 'ArrowUp',
      Space: ' ',
      'Page down': 'PageDown',
      'Page up': 'PageUp',
      Esc: 'Escape',
      '−': '-',
    }
    const means = keyHelp().flatMap(([keys]) =>
      keys.map((key) => {
        const [shift, plain] = key.startsWith('Shift ') ? [true, key.slice(6)] : [false, key]
        return leadKey(press(shown[plain] ?? plain, { shiftKey: shift }), 'page')
      }),
    )
    expect(means).not.toContain(null)
    expect(new Set(means).size).toBe(21)
  })
})
