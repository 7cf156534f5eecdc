import { i18n } from '@expresslane/shared/base/language'
import { contextAt, flameChart } from '@expresslane/shared/charts/flame-chart'
import { added, type FunctionDifference, type Pair } from '@expresslane/shared/profile/difference'
import type { Context } from '@expresslane/shared/profile/profile'
import {
  contextWords,
  formatInstructions,
  formatShare,
  functionName,
  isSearched,
} from '@expresslane/shared/profile/words'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { ChartView, type Choices } from '../../charts/chart-view.tsx'
import { Button, TextInput } from '../../components/controls.tsx'
import classes from './profile.module.css'

/** The id of the whole graph. */
const WHOLE = '0'

interface FlameGraphProps {
  root: Context<Pair>
  title: string
  /** The quantity of the contexts' values: `instructions`. */
  quantity: string
  /** The difference that can be chance. */
  noise: number
  search: string
  onSearch: (search: string) => void
  functions: readonly FunctionDifference[]
}

/** The contexts of both arms: arrow keys move, Enter or a click shows one over the whole width, Escape shows all. */
export function FlameGraph({ root, title, quantity, noise, search, onSearch, functions }: FlameGraphProps) {
  const [zoomed, setZoomed] = useState(WHOLE)
  const [pointed, setPointed] = useState<string | null>(null)
  const container = useRef<HTMLDivElement>(null)
  const wasZoomed = useRef(zoomed)
  const help = useId()
  useEffect(() => {
    // The marks of the chart have changed: the focus goes to the context that was chosen.
    if (wasZoomed.current !== zoomed)
      container.current?.querySelector<SVGElement>('[data-frame][tabindex="0"]')?.focus({ preventScroll: true })
    wasZoomed.current = zoomed
  }, [zoomed])
  const top = contextAt(root, zoomed) ?? root
  const graph = useMemo(() => {
    const isFound = (name: string): boolean => isSearched(name, search)
    return (
      <ChartView
        of={(frame) => flameChart({ root: top, id: zoomed, title, quantity, noise, isFound }, frame)}
        choices={choicesOf(zoomed, setZoomed, setPointed)}
      />
    )
  }, [top, zoomed, title, quantity, noise, search])
  const shown = (pointed === null ? null : contextAt(root, pointed)) ?? top
  return (
    <div className="stack">
      <div className="row wide bottom between">
        <h4>{i18n.t('Calls')}</h4>
        <TextInput
          label={i18n.t('Search for a function')}
          type="search"
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
        />
      </div>
      {search.trim().length > 1 && <Found functions={functions} search={search} quantity={quantity} />}
      <p id={help} className="muted readable">
        {i18n.t(
          'Click a context to see it over the whole width. Arrow keys move between contexts, Enter chooses, and Escape shows all.',
        )}
      </p>
      {zoomed !== WHOLE && <Callers root={root} id={zoomed} onZoom={setZoomed} />}
      <div ref={container} role="group" aria-label={i18n.t('Flame graph')} aria-describedby={help}>
        {graph}
      </div>
      <p className={`${classes.shown} numbers break-anywhere`}>
        {Math.abs(added(root.whole)) > noise
          ? i18n.t('{context}, {share} of the difference', {
              context: contextWords(shown, quantity),
              share: formatShare(added(shown.whole) / added(root.whole)),
            })
          : contextWords(shown, quantity)}
      </p>
    </div>
  )
}

/** The sum of the functions that a search finds. */
function Found({ functions, search, quantity }: Pick<FlameGraphProps, 'functions' | 'search' | 'quantity'>) {
  const found = functions.filter((one) => isSearched(one.function, search))
  const [before, after] = (['before', 'after'] as const).map((side) =>
    formatInstructions(found.reduce((sum, one) => sum + one[side].instructions, 0)),
  )
  return (
    <p role="status" className="numbers">
      {found.length === 0
        ? i18n.t('No function')
        : i18n.t(
            '{functions, plural, one {# function} other {# functions}}: {before} → {after} {quantity} of their own',
            { functions: found.length, before, after, quantity },
          )}
    </p>
  )
}

/** So many callers are named beside the whole graph. */
const NAMED_CALLERS = 2

/** The callers of a context, to go back to. */
function Callers({ root, id, onZoom }: { root: Context<Pair>; id: string; onZoom: (id: string) => void }) {
  const path = id.split('.')
  const above = path.slice(0, -1).map((_, index) => path.slice(0, index + 1).join('.'))
  const [whole, ...callers] = above
  const named = [whole ?? WHOLE, ...callers.slice(-NAMED_CALLERS)]
  return (
    <nav aria-label={i18n.t('Callers')} className="row tight">
      {named.map((of, place) => (
        <span key={of} className="row tight one-line">
          <Button variant="default" size="compact-md" onClick={() => onZoom(of)}>
            {functionName(contextAt(root, of)?.function ?? '')}
          </Button>
          <span aria-hidden>{place === 0 && callers.length > NAMED_CALLERS ? '› … ›' : '›'}</span>
        </span>
      ))}
      <span className="medium break-anywhere">{functionName(contextAt(root, id)?.function ?? '')}</span>
    </nav>
  )
}

function callerOf(id: string): string {
  return id.slice(0, id.lastIndexOf('.'))
}

/** The frame that a key leads to; null for other keys, and where there is none. */
function frameAt(key: string, { row, column, id }: { row: number; column: number; id: string }): string | null {
  switch (key) {
    case 'ArrowRight':
      return `[data-at="${row} ${column + 1}"]`
    case 'ArrowLeft':
      return `[data-at="${row} ${column - 1}"]`
    case 'ArrowUp':
      return `[data-frame="${callerOf(id)}"]`
    case 'ArrowDown':
      // The first below it in the document is the child with the largest difference.
      return `[data-frame^="${id}."]`
    default:
      return null
  }
}

function choicesOf(zoomed: string, zoom: (id: string) => void, point: (id: string) => void): Choices {
  return {
    buttons: true,
    attributesOf: (choice, name) => {
      const { id, row, column } = choice
      const onKeyDown = (event: KeyboardEvent<SVGElement>): void => {
        const selector = frameAt(event.key, choice)
        const chooses = event.key === 'Enter' || event.key === ' '
        const leaves = event.key === 'Escape' && zoomed !== WHOLE
        if (selector === null && !chooses && !leaves) return
        event.preventDefault()
        event.stopPropagation()
        if (chooses) zoom(id)
        else if (leaves) zoom(WHOLE)
        // The caller of the first context is not in the graph.
        else if (event.key === 'ArrowUp' && id === zoomed && id !== WHOLE) zoom(callerOf(id))
        else if (selector !== null) event.currentTarget.ownerSVGElement?.querySelector<SVGElement>(selector)?.focus()
      }
      const at = { 'data-frame': id, 'data-at': `${row} ${column}`, tabIndex: id === zoomed ? 0 : -1 }
      const said = { role: 'button', 'aria-label': name, className: classes.frame ?? '' }
      const does = { onClick: () => zoom(id), onFocus: () => point(id), onPointerEnter: () => point(id), onKeyDown }
      return { ...at, ...said, ...does }
    },
  }
}
