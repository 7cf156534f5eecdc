/** The client of the held connections: bash alone, so that a person can type it, too. Pure. */
import { z } from 'zod'

/**
 * Opens connections, asks each for an echo, waits for SIGUSR1, and asks each again. The wait can't miss the signal: it ends
 * the process that is waited for. A connection that ends meanwhile must not end bash. The connections stay until it is ended.
 */
const script = `
trap '' PIPE
ulimit -n 2048
sleep infinity & waiting=$!
trap 'kill $waiting' USR1
ask() { printf x >&$1 && read -r -N 1 -t 5 -u $1 answer && [ "$answer" = x ]; }
flows=()
for ((i = 0; i < $3; i++)); do
  { exec {flow}<>/dev/tcp/$1/$2; } && ask $flow && flows+=($flow)
done 2>/dev/null
echo opened \${#flows[@]} $$
wait $waiting
answered=0
for flow in "\${flows[@]}"; do ask $flow && answered=$((answered + 1)); done 2>/dev/null
echo answered $answered
sleep infinity & wait $!
`

/** @param connections at most 1,000 */
export function clientArgv(address: string, port: number, connections: number): string[] {
  return ['bash', '-c', script, 'held-connections', address, `${port}`, `${connections}`]
}

/** Lets the client go on. */
export const goOnArgv = (pid: number): string[] => ['bash', '-c', 'kill -USR1 "$0"', `${pid}`]

const line = z.union([
  z.tuple([z.literal('opened'), z.coerce.number().int(), z.coerce.number().int()]).transform(([, count, pid]) => ({
    type: 'opened' as const,
    count,
    pid,
  })),
  z
    .tuple([z.literal('answered'), z.coerce.number().int()])
    .transform(([, count]) => ({ type: 'answered' as const, count })),
])
export type ClientLine = z.infer<typeof line>

/** @returns null for a line that the client does not print */
export function parseClientLine(text: string): ClientLine | null {
  return line.safeParse(text.trim().split(' ')).data ?? null
}
