/** Steps that several labs share. */
import type { Action, LabCommand, Step } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Family } from '@expresslane/shared/measure/units'
import * as onCluster from './big-tcp-cluster-commands.ts'
import * as onNetns from './big-tcp-commands.ts'

/** Without BIG TCP and with it, for labs of both families. */
export const bothFamilies: readonly ArmPlan[] = [
  { id: 'off', label: 'Without BIG TCP', settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false } },
  { id: 'on', label: 'With BIG TCP', settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': true } },
]

interface More {
  readonly commands?: LabCommand[]
  /** Shown when the check fails. */
  readonly hint: string
}

/** A step that does something. */
export function act(
  id: string,
  title: string,
  prose: string,
  action: Action,
  actionLabel: string,
  { commands = [], hint }: More,
): Step {
  return { id, title, prose, action, actionLabel, commands, hint }
}

/** A step that is only read. */
export function read(id: string, title: string, prose: string): Step {
  return { id, title, prose, action: null, actionLabel: null, commands: [], hint: null }
}

export function preflightStep(prose: string): Step {
  return act('preflight', 'Preflight', prose, { kind: 'preflight' }, 'Run preflight', {
    commands: [...onNetns.preflight(), ...onCluster.preflight()],
    hint: 'Follow the remedy beside the failed check, then run preflight again.',
  })
}

/** @param configKeys Cilium's keys of the families that the lab switches */
export function restoreStep(family: Family, configKeys: readonly string[]): Step {
  return act(
    'restore',
    'Restore',
    `Put back what was there before this lab: the settings on the nodes, and no netperf pods. The results stay in the
history.`,
    { kind: 'restore' },
    'Restore',
    {
      commands: [onNetns.enter, ...onNetns.restore(family), ...configKeys.flatMap((key) => onCluster.restore(key))],
      hint: 'Run Restore again; the settings to go back to are kept until it has worked.',
    },
  )
}
