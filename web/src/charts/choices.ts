/** The ways to choose a mark of a chart. */
import type { Mark } from '@expresslane/shared/charts/draw/marks'
import type { KeyboardEvent } from 'react'
import classes from './chart-view.module.css'
import type { Choices } from './chart-view.tsx'

const moves: Record<string, readonly [number, number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

/** The attributes of a mark that the pointer chooses. @param chosen the id of a mark; null for none */
export function pointed(
  { id }: Pick<NonNullable<Mark['choice']>, 'id'>,
  chosen: string | null,
  onChoose: (id: string) => void,
) {
  return { className: classes.choice ?? '', 'data-chosen': id === chosen, onClick: () => onChoose(id) }
}

/** With the pointer alone: a table beside the chart has the buttons. @param chosen the id of a mark; null for none */
export function byPointer(chosen: string | null, onChoose: (id: string) => void): Choices {
  return { buttons: false, attributesOf: (choice) => pointed(choice, chosen, onChoose) }
}

/**
 * Each mark is a button: arrow keys move between them, Enter and the space bar choose.
 *
 * @param chosen the id of a mark; null for none
 */
export function asButtons(chosen: string | null, onChoose: (id: string) => void): Choices {
  return {
    buttons: true,
    attributesOf: (choice, name) => {
      const { id, row, column } = choice
      const onKeyDown = (event: KeyboardEvent<SVGElement>): void => {
        const by = moves[event.key]
        if (by === undefined && event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        if (by === undefined) return onChoose(id)
        const next = `[data-at="${row + by[0]} ${column + by[1]}"]`
        event.currentTarget.ownerSVGElement?.querySelector<SVGElement>(next)?.focus()
      }
      const at = { 'data-at': `${row} ${column}`, tabIndex: 0, onKeyDown }
      const said = { role: 'button', 'aria-label': name, 'aria-pressed': id === chosen }
      return { ...pointed(choice, chosen, onChoose), ...at, ...said }
    },
  }
}
