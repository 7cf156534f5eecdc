/** `npm start -- [--workshop] [--https] [--cert FILE --key FILE] [--ssh HOST [--ssh HOST]]`: each option stands for an environment variable. */
import { parseArgs } from 'node:util'
import { LabError } from '@expresslane/shared/base/errors'

const usage = 'npm start -- [--workshop] [--https] [--cert FILE --key FILE] [--ssh HOST [--ssh HOST]]'

/**
 * The environment with the variables that the options stand for.
 *
 * @throws LabError `config_invalid` for an unknown option
 */
export function environmentOf(argv: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        workshop: { type: 'boolean' },
        https: { type: 'boolean' },
        cert: { type: 'string' },
        key: { type: 'string' },
        ssh: { type: 'string', multiple: true },
      },
    })
    return {
      ...env,
      ...(values.workshop === true && { EXPRESSLANE_WORKSHOP: '1' }),
      ...(values.https === true && { EXPRESSLANE_HTTPS: '1' }),
      ...(values.cert !== undefined && { EXPRESSLANE_CERT: values.cert }),
      ...(values.key !== undefined && { EXPRESSLANE_KEY: values.key }),
      ...(values.ssh !== undefined && { EXPRESSLANE_SSH: values.ssh.join(' ') }),
    }
  } catch (error) {
    throw new LabError('config_invalid', 'The options are not valid.', `Usage: ${usage}`, {
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    })
  }
}
