/** The ids in a request's address, for each of its lines in the server's log. */
const named = /\/(?:sessions\/(?<sessionId>s_[0-9a-z]{8,40})|runs\/(?<runId>r_[0-9a-z]{8,40}))(?=[/?#]|$)/

/** The session or the run that an address names. */
export function idsOf(url: string): Readonly<Record<string, string>> {
  const { sessionId, runId } = named.exec(url)?.groups ?? {}
  return { ...(sessionId === undefined ? {} : { sessionId }), ...(runId === undefined ? {} : { runId }) }
}
