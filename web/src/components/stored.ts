import { useState } from 'react'

/**
 * A choice that this browser keeps, and a function that changes it. Null until somebody chooses. Where the browser blocks
 * storage, the choice lasts as long as the page.
 */
export function useStored(key: string): readonly [string | null, (value: string) => void] {
  const [value, setValue] = useState(() => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // It lasts as long as the page.
      }
    },
  ]
}
