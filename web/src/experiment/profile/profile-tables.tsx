import { i18n } from '@expresslane/shared/base/language'
import { added, type FunctionDifference, type GroupDifference } from '@expresslane/shared/profile/difference'
import { REST } from '@expresslane/shared/profile/profile'
import {
  formatAdded,
  formatCalls,
  formatInstructions,
  formatShare,
  functionName,
  isSearched,
} from '@expresslane/shared/profile/words'
import { capitalized } from '@expresslane/shared/features/words'
import { maxOf } from '@expresslane/shared/measure/extremes'
import { Fragment, useState, type ComponentProps } from 'react'
import { Button } from '../../components/controls.tsx'
import { Table } from '../../components/table.tsx'
import classes from './profile.module.css'

/** More rows are shown when they are asked for. */
const FEW = 8

/** `9,750 → 5,411`; a line for each where a column is narrow. */
function fromTo(before: number, after: number, format: (value: number) => string): string {
  return `${format(before)} →\u{a0}${format(after)}`
}

/** A difference as a bar: to the left for fewer instructions, to the right for more. */
function Bar({ change, most }: { change: number; most: number }) {
  const width = `${most === 0 ? 0 : (Math.abs(change) / most) * 50}%`
  return (
    <span className={classes.bar} aria-hidden>
      <span data-fewer={change < 0} style={{ width }} />
    </span>
  )
}

/** A table whose smaller rows are shown when they are asked for. */
function LongTable({ lines, of, ...table }: ComponentProps<typeof Table> & { of: 'groups' | 'functions' }) {
  const [all, setAll] = useState(false)
  return (
    <div className="stack">
      <Table {...table} lines={all ? lines : lines.slice(0, FEW)} />
      {lines.length > FEW && (
        <div>
          <Button variant="default" size="compact-md" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? i18n.t('Show {count} {of, select, groups {groups} other {functions}}', { count: FEW, of })
              : i18n.t('Show all {count} {of, select, groups {groups} other {functions}}', { count: lines.length, of })}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The parts of the kernel, the largest differences first. */
export function GroupTable({ groups, quantity }: { groups: readonly GroupDifference[]; quantity: string }) {
  const most = maxOf(groups.map(({ before, after }) => Math.abs(after - before)))
  return (
    <LongTable
      label={i18n.t('Groups of functions')}
      of="groups"
      columns={[
        i18n.t('Group'),
        { name: capitalized(quantity), number: true },
        { name: i18n.t('Change'), number: true },
      ]}
      lines={groups.map(({ group, before, after, share }) => ({
        key: group,
        cells: [
          <div key="group" className={classes.group}>
            {capitalized(i18n.t(group))}
            <Bar change={after - before} most={most} />
          </div>,
          fromTo(before, after, formatInstructions),
          <Fragment key="change">
            {formatAdded(after - before)}
            {share !== null && <span className="block muted">{formatShare(share)}</span>}
          </Fragment>,
        ],
      }))}
    />
  )
}

interface FunctionTableProps {
  functions: readonly FunctionDifference[]
  search: string
  quantity: string
  /** Samples have no calls. */
  hasCalls: boolean
}

/** The functions, the largest differences first: the flame graph for people who read tables. */
export function FunctionTable({ functions, search, quantity, hasCalls }: FunctionTableProps) {
  const searches = search.trim().length > 1
  const shown = functions.filter((one) => one.function !== REST && (!searches || isSearched(one.function, search)))
  const rest = functions.find((one) => one.function === REST)
  return (
    <div className="stack">
      <h4>{searches ? i18n.t('Functions with “{search}”', { search: search.trim() }) : i18n.t('Functions')}</h4>
      {shown.length === 0 ? (
        <p className="muted">{i18n.t('There is none.')}</p>
      ) : (
        <LongTable
          label={i18n.t('Functions')}
          of="functions"
          columns={[
            i18n.t('Function'),
            { name: i18n.t('Own {quantity}', { quantity }), number: true },
            { name: i18n.t('Change'), number: true },
            ...(hasCalls ? [{ name: i18n.t('Calls'), number: true }] : []),
          ]}
          lines={shown.map((one) => ({
            key: one.function,
            cells: [
              <code key="name" className={`${classes.function} break-anywhere`}>
                {functionName(one.function)}
              </code>,
              fromTo(one.before.instructions, one.after.instructions, formatInstructions),
              formatAdded(added(one)),
              ...(hasCalls ? [fromTo(one.before.calls, one.after.calls, formatCalls)] : []),
            ],
          }))}
        />
      )}
      {rest !== undefined && Math.max(rest.before.instructions, rest.after.instructions) >= 1 && !searches && (
        <p className="muted readable">
          {i18n.t('Contexts that are too small to keep, of all functions together: {before} → {after} {quantity}.', {
            before: formatInstructions(rest.before.instructions),
            after: formatInstructions(rest.after.instructions),
            quantity,
          })}
        </p>
      )}
    </div>
  )
}
