/** The order of a test run: stages after each other or beside each other, and the output of each in one piece. */
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { cache } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { exitCodeOf, failures, line, one, sum } from './tally.mjs'

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 *
 * @typedef {object} Output where a stage writes
 * @property {number} fd for the programs that it runs
 * @property {(text: string) => void} say
 *
 * @typedef {(output: Output) => Promise<Tally>} Stage
 *
 * @typedef {(() => Promise<Tally>) | readonly Plan[] | {readonly beside: readonly Plan[]}} Plan
 * one stage, several after each other, or several at the same time
 *
 * @typedef {object} Screen
 * @property {(name: string, stage: Stage) => Promise<Tally>} live runs a stage that writes as it goes; one at a time
 * @property {(name: string, stage: Stage) => Promise<Tally>} beside runs a stage whose output is printed when it has
 * ended and no other stage is writing
 * @property {() => readonly string[]} times a line for each stage that has ended: its seconds, when it began, and how busy
 * the processors were
 */

/**
 * @param {(text: string) => void} [print]
 * @param {string} [folder] for the output of stages that run beside others: NAME.log
 * @returns {Screen}
 */
export function openScreen(print = (text) => void process.stderr.write(text), folder = cache) {
  /** @type {string[]} */
  const ended = []
  /** @type {string[]} */
  const times = []
  const opened = performance.now()
  const atFirst = cpuTimes()
  let busy = false
  const seconds = (/** @type {number} */ ms) => `${Math.round(ms / 1000)} s`
  /** @param {string} name @param {() => Promise<Tally>} stage */
  async function timed(name, stage) {
    const begun = performance.now()
    const before = cpuTimes()
    try {
      return await stage()
    } finally {
      const took = seconds(performance.now() - begun)
      times.push(`time: ${name} took ${took}, from second ${Math.round((begun - opened) / 1000)}, ${busySince(before)}`)
    }
  }
  function flush() {
    if (!busy) for (const file of ended.splice(0)) print(readFileSync(file, 'utf8'))
  }
  return {
    async live(name, stage) {
      busy = true
      try {
        return await timed(name, () => stage({ fd: 2, say: (text) => print(`${text}\n`) }))
      } finally {
        busy = false
        flush()
      }
    },
    async beside(name, stage) {
      mkdirSync(folder, { recursive: true })
      const file = join(folder, `${name}.log`)
      const fd = openSync(file, 'w')
      try {
        return await timed(name, () => stage({ fd, say: (text) => void writeSync(fd, `${text}\n`) }))
      } finally {
        closeSync(fd)
        ended.push(file)
        flush()
      }
    },
    times: () => [...times, `time: everything took ${seconds(performance.now() - opened)}, ${busySince(atFirst)}`],
  }
}

/** The milliseconds of all processors since the machine started. */
function cpuTimes() {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((total, cpu) => total + cpu.idle, 0)
  return { idle, all: times.reduce((total, { user, nice, sys, irq }) => total + user + nice + sys + irq, idle) }
}

/** @param {ReturnType<typeof cpuTimes>} before */
function busySince(before) {
  const now = cpuTimes()
  const share = 1 - (now.idle - before.idle) / Math.max(1, now.all - before.all)
  return `processors ${Math.round(100 * share)} % busy`
}

/**
 * @param {Plan} plan
 * @param {{tallies: Tally[], isStopped: boolean}} state gets what each stage counts; after a stage that was stopped none begins
 * @returns {Promise<void>} rejects when all that had begun has ended
 */
async function follow(plan, state) {
  if (typeof plan === 'function') {
    try {
      state.tallies.push(await plan())
    } catch (error) {
      state.isStopped = true
      throw error
    }
  } else if ('beside' in plan) {
    const all = await Promise.allSettled(plan.beside.map((part) => follow(part, state)))
    const failed = all.find((part) => part.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  } else {
    for (const part of plan) if (!state.isStopped) await follow(part, state)
  }
}

/**
 * Runs the stages, whatever each of them finds, and ends with the time of each, the names of the failed tests and the tally.
 *
 * @param {Plan} plan
 * @param {Pick<Screen, 'times'>} [screen] where the stages ran
 * @returns {Promise<number>} the exit code
 */
export async function summed(plan, screen) {
  /** @type {Tally[]} */
  const tallies = []
  try {
    await follow(plan, { tallies, isStopped: false })
  } catch (error) {
    if (error instanceof FrameError) say(`${error.message} ${error.remedy}`)
    else throw error
    tallies.push(one(error.message, false))
  }
  const all = sum(tallies)
  for (const time of screen?.times() ?? []) say(time)
  process.stdout.write([...failures(all), line(all), ''].join('\n'))
  return exitCodeOf(all)
}
