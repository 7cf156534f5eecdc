/** Who drives each cluster: everybody shares it, so one person at a time changes it. */
import { LabError } from '@expresslane/shared/base/errors'
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { kinds } from '@expresslane/shared/testbed/kinds'
import type { Driver } from '@expresslane/shared/wire/protocol'
import type { DriversFrame } from '@expresslane/shared/wire/stream'
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../runs/clock.ts'
import type { Messages } from './messages.ts'

/** How long the driver has to answer somebody who asks. */
export const ANSWER_MS = 60_000

/** Who drives, or wants to. */
export type Person = Pick<Principal, 'id' | 'name'>

export interface Driving {
  /** Before a step: the person who starts the first one drives. @throws LabError `not_driving` while somebody else drives */
  require(person: Person, testbed: TestbedId): void
  /**
   * Takes the wheel when nobody has it, or an instructor asks. Asks the driver otherwise, and takes it when the driver
   * has not answered for 60 s. The driver answers with it, too: they keep driving.
   */
  ask(principal: Principal, testbed: TestbedId): Driver | null
  /** The driver gives the testbed back: to the person who asked, if anybody asked. @throws LabError `not_driving` */
  giveBack(principal: Principal, testbed: TestbedId): Driver | null
  /** Somebody lost their access. */
  leave(person: string): void
  frame(): DriversFrame
  /** Called after each change. @returns unsubscribes */
  subscribe(listener: (frame: DriversFrame) => void): () => void
}

export function createDriving(clock: Clock, messages: Messages): Driving {
  const drivers = new Map<TestbedId, Driver>()
  const listeners = new Set<(frame: DriversFrame) => void>()

  function frame(): DriversFrame {
    return { type: 'drivers', drivers: [...drivers].map(([testbed, driver]) => ({ testbed, driver })) }
  }

  function report(): void {
    const now = frame()
    for (const listener of listeners) listener(now)
  }

  function put(testbed: TestbedId, driver: Driver | null): void {
    if (driver === null) drivers.delete(testbed)
    else drivers.set(testbed, driver)
    report()
  }

  function isShared(testbed: TestbedId): boolean {
    const { kind, owner } = parseTestbedId(testbed)
    return kinds[kind].isCluster && owner === null
  }

  function drive(testbed: TestbedId, person: string, name: string): void {
    put(testbed, { person, name, since: clock.now(), asked: null })
  }

  function takeOver(testbed: TestbedId, { id, name }: Person, from: string): void {
    drive(testbed, id, name)
    messages.send({ to: from, text: `${name} drives the cluster now.` })
  }

  /** Somebody who asks while another person waits for an answer does not take their place. */
  function askDriver(testbed: TestbedId, driver: Driver, { id, name }: Person): void {
    const { asked } = driver
    if (asked !== null && asked.person !== id && clock.now() - asked.at < 2 * ANSWER_MS) return
    if (asked?.person === id && clock.now() - asked.at < ANSWER_MS) return
    if (asked?.person === id) return takeOver(testbed, { id, name }, driver.person)
    put(testbed, { ...driver, asked: { person: id, name, at: clock.now() } })
  }

  function keep(testbed: TestbedId, driver: Driver): void {
    if (driver.asked === null) return
    put(testbed, { ...driver, asked: null })
    messages.send({ to: driver.asked.person, text: `${driver.name} still drives the cluster.` })
  }

  return {
    require({ id, name }, testbed) {
      if (!isShared(testbed)) return
      const driver = drivers.get(testbed)
      if (driver === undefined) drive(testbed, id, name)
      else if (driver.person !== id) throw notDriving(driver)
    },
    ask(principal, testbed) {
      if (!isShared(testbed)) return null
      const driver = drivers.get(testbed)
      if (driver === undefined) drive(testbed, principal.id, principal.name)
      else if (driver.person === principal.id) keep(testbed, driver)
      else if (principal.role === 'instructor') takeOver(testbed, principal, driver.person)
      else askDriver(testbed, driver, principal)
      return drivers.get(testbed) ?? null
    },
    giveBack({ id, role }, testbed) {
      const driver = drivers.get(testbed)
      if (driver === undefined) return null
      if (driver.person !== id && role !== 'instructor') throw notDriving(driver)
      if (driver.asked === null) put(testbed, null)
      else {
        drive(testbed, driver.asked.person, driver.asked.name)
        messages.send({ to: driver.asked.person, text: 'You drive the cluster now.' })
      }
      return drivers.get(testbed) ?? null
    },
    leave(person) {
      for (const [testbed, driver] of drivers) {
        if (driver.person === person) put(testbed, null)
        else if (driver.asked?.person === person) put(testbed, { ...driver, asked: null })
      }
    },
    frame,
    subscribe(listener) {
      const subscribed = (now: DriversFrame): void => listener(now)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
  }
}

function notDriving({ name, since }: Driver): LabError {
  return new LabError(
    'not_driving',
    `${name} has been driving this cluster since ${new Date(since).toISOString().slice(11, 16)} UTC.`,
    'Follow their steps, or ask them to let you drive.',
  )
}
