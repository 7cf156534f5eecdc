/** The table of routes, as requests that a test can send. */
import { routePolicy } from '../../../src/access/policy.ts'

export const lines = Object.entries(routePolicy).map(([line, callers]) => {
  const [method = '', route = ''] = line.split(' ')
  return { method, route, callers }
})

interface Ids {
  readonly session: string
  readonly run: string
  readonly testbed: string
}

/** Ids of their form, of nothing. */
export const noIds: Ids = { session: 's_00000000', run: 'r_00000000', testbed: 'netns@nobody' }

/** Whether a route names a session, a run or a testbed. */
export function namesSomething(route: string): boolean {
  return /(sessions|runs|testbeds)\/:id/.test(route) || route === '/api/compare/report'
}

/** The address of a route with these ids; what else it names does not exist. */
export function addressOf(route: string, { session, run, testbed }: Ids = noIds): string {
  const compared = route === '/api/compare/report' ? `?a=${run}&b=${run}` : ''
  const path = route
    .replace('sessions/:id', `sessions/${session}`)
    .replace('runs/:id', `runs/${run}`)
    .replace('testbeds/:id', `testbeds/${testbed}`)
    .replace('doors/:role', 'doors/viewer')
    .replaceAll(/:\w+/g, 'none')
    .replace('/*', '/')
  return `${path}${compared}`
}

/** A body for a method that has one, complete where the route looks up its ids afterwards. */
export function bodyOf(method: string, route: string): object | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined
  return route.endsWith('/terminals') ? { place: 'pod1', rows: 24, columns: 80 } : {}
}
