/** The arms as typed, and what they are called. Pure. */
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { bytes, formatSize } from '@expresslane/shared/measure/units'
import { armName } from '@expresslane/shared/measure/measurement'

export interface ArmChoice {
  readonly bigTcp: boolean
  /** `128K`, or in bytes; empty for the size that BIG TCP computes. Without BIG TCP it counts for nothing. */
  readonly limit: string
  /** Empty for the testbed's own. */
  readonly mtu: string
}

export const MOST_ARMS = 8

const LEAST_LIMIT = 65_536
/** What a veth device takes; 512 KiB is 8 bytes more. */
const MOST_LIMIT = 524_280

/** `128K` is 128 KiB, as every device's limit is told. @returns null for what is no limit */
export function parseLimit(text: string): number | null {
  const match = /^(\d{1,7})\s*(k|kib)?$/i.exec(text.trim().replaceAll(',', ''))
  if (match === null) return null
  const limit = Number(match[1]) * (match[2] === undefined ? 1 : 1_024)
  if (limit > MOST_LIMIT && limit <= 524_288) return MOST_LIMIT
  return limit >= LEAST_LIMIT && limit <= MOST_LIMIT ? limit : null
}

/** @returns null for what is no MTU */
export function parseMtu(text: string): number | null {
  const mtu = /^\d{4}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN
  return mtu >= 1_280 && mtu <= 9_000 ? mtu : null
}

interface Named {
  readonly id: string
  readonly label: string
}

function nameOf(bigTcp: boolean, limit: number | null, mtu: number | null): Named {
  const size = limit === null ? null : formatSize(bytes.parse(limit))
  const side = bigTcp ? 'on' : 'off'
  const id = size === null ? side : size.toLowerCase().replace('.', '-')
  const label = size === null ? armName[side] : `BIG TCP, ${size}`
  return mtu === null ? { id, label } : { id: `${id}-mtu${mtu}`, label: `${label}, MTU ${mtu}` }
}

/** Arms that are set alike get a number: that shows how much noise there is. */
function distinct(named: readonly Named[]): Named[] {
  return named.map(({ id, label }, index) => {
    const before = named.slice(0, index).filter((one) => one.id === id).length
    return before === 0 ? { id, label } : { id: `${id}-${before + 1}`, label: `${label} (${before + 1})` }
  })
}

export interface ArmPlans {
  readonly arms: readonly ArmPlan[]
  /** What is wrong with them, in words. */
  readonly messages: readonly string[]
}

export function armPlans(choices: readonly ArmChoice[]): ArmPlans {
  const messages: string[] = []
  if (choices.length === 0) messages.push('Add an arm to measure.')
  const set = choices.map(({ bigTcp, limit, mtu }) => {
    const size = bigTcp && limit.trim() !== '' ? parseLimit(limit) : null
    if (bigTcp && limit.trim() !== '' && size === null) {
      messages.push(`“${limit.trim()}” is no limit. Write 64K to 512K, or nothing for the size that BIG TCP computes.`)
    }
    const own = mtu.trim() === '' ? null : parseMtu(mtu)
    if (mtu.trim() !== '' && own === null) {
      messages.push(`“${mtu.trim()}” is no MTU. Write 1280 to 9000, or nothing for the testbed’s own.`)
    }
    return { bigTcp, limit: size, mtu: own }
  })
  const names = distinct(set.map(({ bigTcp, limit, mtu }) => nameOf(bigTcp, limit, mtu)))
  const arms = set.map(({ bigTcp, limit, mtu }, index): ArmPlan => ({
    id: names[index]?.id ?? '',
    label: names[index]?.label ?? '',
    bigTcp,
    limit: limit === null ? null : bytes.parse(limit),
    mtu: mtu === null ? null : bytes.parse(mtu),
  }))
  return { arms, messages: [...new Set(messages)] }
}
