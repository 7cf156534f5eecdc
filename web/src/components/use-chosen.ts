/** Choices on a page that its address keeps, so that a link restores them: in the app, and in the static viewer. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** The names of the choices in the address. */
type ChoiceName = 'cell' | 'dot' | 'packet' | 'sample'

/**
 * A choice on the page, null for none, and how to change it: without a new entry in the browser's history.
 *
 * @param within choices that belong to this choice, and end with it
 */
export function useChosen(name: ChoiceName, within?: ChoiceName): [string | null, (id: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = useCallback(
    (id: string | null) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (within !== undefined) next.delete(within)
          if (id === null) next.delete(name)
          else next.set(name, id)
          return next
        },
        { replace: true },
      ),
    [name, within, setSearch],
  )
  return [search.get(name), choose]
}
