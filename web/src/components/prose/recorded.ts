import { createContext } from 'react'

/** Whether the shown text comes from a recording, so its commands are somebody else's. */
export const RecordedContext = createContext(false)
