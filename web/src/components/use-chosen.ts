/** Choices on a page that its address keeps, so that a link restores them: in the app, and in the static viewer. */
import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The names of the choices in the address. */
type ChoiceName = 'cell' | 'dot' | 'packet' | 'sample'

/**
 * A choice on the page, null for none, and how to change it: without a new entry in the browser's history.
 *
 * @param within choices that belong to this choice, and end with it
 */
export function useChosen(name: ChoiceName, within?: ChoiceName): [string | null, (id: string | null) => void] {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const choose = useCallback(
    (id: string | null) => {
      const next = new URLSearchParams(search)
      if (within !== undefined) next.delete(within)
      if (id === null) next.delete(name)
      else next.set(name, id)
      // With its hash: without it the page would begin again at its top.
      void navigate({ search: next.toString(), hash }, { replace: true })
    },
    [name, within, search, hash, navigate],
  )
  return [new URLSearchParams(search).get(name), choose]
}
