/**
 * `main.mjs prepare`, `main.mjs prepare two` for two kernels to compare, or `main.mjs kernel [RELEASE ...]`: a process
 * of its own, because it runs on the packaged Node, which can unpack zstd; the set-up itself runs on older Node, too.
 */
import { passSignalsOn } from '../base/child.mjs'
import { sayError } from '../base/say.mjs'
import { addKernels, ensureMachine } from './machine.mjs'

passSignalsOn()
const [action, ...args] = process.argv.slice(2)
try {
  await (action === 'kernel' ? addKernels(args, process.env) : ensureMachine(process.env, args[0] === 'two'))
} catch (error) {
  sayError(error)
  process.exitCode = 1
}
