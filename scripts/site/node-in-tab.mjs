/**
 * The few functions of Node's modules that the worker of a tab links. The tab calls `randomBytes`, `randomInt` for names, the
 * signals, and the files of this machine, of which there are none; the other features' functions say that they are not here.
 */

/** @param {string} name */
const missing = (name) => () => {
  throw new Error(`${name} is not in a browser`)
}

/** @param {number} end */
export const randomInt = (end) => Math.floor(Math.random() * end)
/** @param {number} size */
export const randomBytes = (size) => crypto.getRandomValues(new Uint8Array(size))
export const createHash = missing('createHash')
export const generateKeyPairSync = missing('generateKeyPairSync')

/** signal(7) */
export const constants = {
  signals: { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGPIPE: 13, SIGTERM: 15, SIGCONT: 18, SIGSTOP: 19 },
}
/** @param {number} number below 0 */
export const getSystemErrorName = (number) => `error ${-number}`

export const existsSync = () => false
export const readFile = async () => missing('readFile')()
/** The files of a tab are not limited. */
export const openSync = () => 0
export const closeSync = () => {}
