import { describe, expect, it } from 'vitest'
import { ordinal, queueWords, waitWords } from '../../src/run/queue-words.ts'

describe('a place in the queue, in words', () => {
  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [21, '21st'],
    [103, '103rd'],
  ])('%d is the %s', (place, words) => {
    expect(ordinal(place)).toBe(words)
  })

  it.each([
    [null, null],
    [0, 'a few seconds'],
    [4.9, 'a few seconds'],
    [5, 'about 5 s'],
    [37, 'about 40 s'],
    [89, 'about 90 s'],
    [90, 'about 2 min'],
    [3600, 'about 60 min'],
  ])('a wait of %j seconds is %j', (seconds, words) => {
    expect(waitWords(seconds)).toBe(words)
  })

  it('has both, and only the place if the wait is unknown', () => {
    expect(queueWords({ place: 1, expectedSeconds: 38, paused: false })).toBe('next in line, about 40 s')
    expect(queueWords({ place: 2, expectedSeconds: null, paused: false })).toBe('2nd in line')
    const paused = { place: 2, expectedSeconds: null, paused: true }
    expect(queueWords(paused)).toBe('2nd in line, the instructor paused the queue')
  })
})
