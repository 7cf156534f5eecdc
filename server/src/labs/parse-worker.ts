/** The worker that parses lab files: it gets a file's text, and posts its labs and problems. */
import { parentPort } from 'node:worker_threads'
import { parseLab } from './parse/parse.ts'
import { labText } from './parse-apart.ts'

parentPort?.on('message', (message: unknown) => {
  const { id, text, name } = labText.parse(message)
  parentPort?.postMessage(parseLab(id, text, name), [])
})
