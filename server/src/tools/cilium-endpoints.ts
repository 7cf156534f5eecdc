/** `cilium-dbg endpoint list`: whether an agent has loaded its programs. */

/** Prints the states of all endpoints, separated by spaces. Before 1.15 the program is called `cilium`. */
const LIST = `
program=cilium-dbg
command -v "$program" >/dev/null 2>&1 || program=cilium
exec "$program" endpoint list -o jsonpath='{[*].status.state}'
`

export const endpointStatesArgv: readonly string[] = ['sh', '-c', LIST]

/** As a person would type it in the agent. */
export const typedEndpointStates: readonly string[] = [
  'cilium-dbg',
  'endpoint',
  'list',
  '-o',
  'jsonpath={[*].status.state}',
]

/** States in which an endpoint still has its old programs (api/v1/models/endpoint_state.go of Cilium). */
const LOADING: ReadonlySet<string> = new Set(['restoring', 'waiting-to-regenerate', 'regenerating'])

/** The number of endpoints with old programs, and of all endpoints. The node itself is one of them. */
export function parseEndpointStates(text: string): { readonly loading: number; readonly all: number } {
  const states = text.split(/\s+/).filter((state) => state !== '')
  return { loading: states.filter((state) => LOADING.has(state)).length, all: states.length }
}
