/** Paths in the checkout. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts)

/** Files that the frame keeps between runs and can do without: the page's stamp, test reports. */
export const cache = inRoot('.cache')
