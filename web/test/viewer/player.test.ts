/** Moving in the time of a recording: the store has the state of that time, and of no other. */
import { expect, it } from 'vitest'
import { createStore } from '../../src/api/store.ts'
import { createPlayer } from '../../src/viewer/player.ts'
import { opened, reader, timeline } from './opened.ts'

const { lastsMs } = opened

/** A player with a clock that a test turns. */
function setUp() {
  let [now, tick] = [0, (): void => undefined]
  const store = createStore({
    now: () => now,
    date: () => now,
    schedule(callback) {
      callback()
      return () => undefined
    },
    rewind: () => undefined,
  })
  const player = createPlayer('big-tcp-ipv6', opened, reader, {
    store,
    now: () => now,
    every(_ms, callback) {
      tick = callback
      return () => {
        tick = () => undefined
      }
    },
  })
  const shown = () => [...store.snapshot().runs.values()].filter(({ sessionId }) => sessionId === opened.sessionId)
  /** Lets time pass, and the worker answer. */
  async function pass(ms: number): Promise<void> {
    now += ms
    tick()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { store, player, shown, pass }
}

it('shows any time, forwards and backwards, and the path of that time', async () => {
  const { store, player, shown } = setUp()
  for (const at of [lastsMs, 0, 6_000, 12_000, 700, lastsMs]) {
    await player.seek(at)
    expect(player.state().at).toBe(at)
    const { runs, datapath } = timeline.moment(at)
    expect(shown()).toEqual(runs)
    expect(store.snapshot().paths.get(opened.testbed)?.datapath).toEqual(datapath)
  }
})

it('shows the latest of several times that are asked for at once', async () => {
  const { player, shown } = setUp()
  await Promise.all([player.seek(12_000), player.seek(500), player.seek(6_000)])
  expect(shown()).toEqual(timeline.moment(6_000).runs)
})

it('keeps within the recording', async () => {
  const { player } = setUp()
  await player.seek(-5)
  expect(player.state().at).toBe(0)
  await player.seek(lastsMs + 5)
  expect(player.state().at).toBe(lastsMs)
})

it('plays at a speed until it is paused, and to the end', async () => {
  const { player, shown, pass } = setUp()
  await player.seek(1_000)
  player.play(5)
  await pass(100)
  await pass(100)
  expect(player.state()).toEqual({ at: 2_000, playing: true, speed: 5 })
  expect(shown()).toEqual(timeline.moment(2_000).runs)
  player.pause()
  await pass(100)
  expect(player.state()).toEqual({ at: 2_000, playing: false, speed: 5 })
  player.play(20)
  await pass(lastsMs)
  expect(player.state()).toEqual({ at: lastsMs, playing: false, speed: 20 })
  expect(shown()).toEqual(timeline.moment(lastsMs).runs)
})

it('plays from the start again', async () => {
  const { player, shown, pass } = setUp()
  await player.seek(lastsMs)
  player.play(1, true)
  expect(shown()).toEqual([])
  await pass(900)
  expect(shown()).toEqual(timeline.moment(900).runs)
})

it('shows a time that is chosen while it plays, and plays no older event there', async () => {
  const { player, shown, pass } = setUp()
  await player.seek(0)
  player.play(20)
  const passed = pass(500)
  player.pause()
  await player.seek(300)
  await passed
  expect(player.state().at).toBe(300)
  expect(shown()).toEqual(timeline.moment(300).runs)
})
