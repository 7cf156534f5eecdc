/**
 * Scripts that find and end the commands started in a pod. They use plain `sh` with `cat` and `sleep`, because they
 * run in busybox, in the agent's image and without any capability. Values are passed as arguments, never inside the
 * text. A shell drops the NULs of /proc/PID/environ, which makes it one word.
 */

/** The environment variable that marks a command and everything that it starts. */
export const MARK = 'EXPRESSLANE_EXEC'

/** Prints each mark that it finds, `owner/number`, one per line. */
const LIST = `
for process in /proc/[0-9]*; do
  words=$(cat "$process/environ")
  case $words in *"$1=/"*) ;; *) continue ;; esac
  mark=\${words##*"$1=/"}
  owner=\${mark%%/*}
  mark=\${mark#*/}
  echo "$owner/\${mark%%/*}"
done 2>/dev/null
exit 0
`

/**
 * Ends every process with these words in its environment, until none is left, waits until they are reaped, and prints
 * their ids. For \`$2\` rounds it also waits for the first one to appear. Exits with 1 if some did not end.
 */
const KILL = `
exec 2>/dev/null
rounds=$2 killed= left=
for round in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39; do
  left=
  for process in /proc/[0-9]*; do
    words=$(cat "$process/environ")
    case $words in *"$1"*) ;; *) continue ;; esac
    left="$left \${process#/proc/}"
    kill -9 "\${process#/proc/}"
  done
  killed="$killed$left"
  if [ -z "$left" ]; then
    [ -n "$killed" ] && break
    [ "$round" -ge "$rounds" ] && break
  fi
  sleep 0.05 || sleep 1
done
for pid in $killed; do
  for round in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
    stat=$(cat "/proc/$pid/stat") || break
    set -- \${stat##*) }
    # A zombie whose parent is dead: nothing has to reap it.
    [ "$1" = Z ] && [ "$2" != 0 ] && break
    sleep 0.05 || sleep 1
  done
  echo "$pid"
done
[ -z "$left" ]
`

export function listArgv(): string[] {
  return ['sh', '-c', LIST, 'expresslane-list', MARK]
}

/** @param rounds of 50 ms each to wait for a command that was started just now, at most 39 */
export function killArgv(mark: string, rounds: number): string[] {
  return ['sh', '-c', KILL, 'expresslane-kill', mark, String(rounds)]
}
