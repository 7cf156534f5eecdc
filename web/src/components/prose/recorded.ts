import { createContext } from 'react'

/** Whether what is shown comes from a recording, so its commands are somebody else's. */
export const RecordedContext = createContext(false)
