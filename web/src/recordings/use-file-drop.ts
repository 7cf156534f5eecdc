import { useEffect, useEffectEvent, useState } from 'react'

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

/** Handles a file that is dropped anywhere on the page. @returns whether a file is being dragged over the page */
export function useFileDrop(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onFile)
  useEffect(() => {
    // The browser fires dragenter for a child before dragleave for its parent, so only the sum shows when the file leaves.
    let depth = 0
    const settle = (to: number): void => {
      depth = to
      setOver(depth > 0)
    }
    const enter = (event: DragEvent): void => {
      if (carriesFiles(event)) settle(depth + 1)
    }
    const leave = (event: DragEvent): void => {
      if (carriesFiles(event)) settle(Math.max(0, depth - 1))
    }
    const hover = (event: DragEvent): void => {
      // Otherwise the browser opens the file instead of the page.
      if (carriesFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      settle(0)
      const file = event.dataTransfer?.files[0]
      if (file !== undefined) take(file)
    }
    const ending = new AbortController()
    const { signal } = ending
    window.addEventListener('dragenter', enter, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('dragover', hover, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => ending.abort()
  }, [])
  return over
}
