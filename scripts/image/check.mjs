/**
 * Builds the container image and uses it as a person does: `docker compose up`, the labs, a capture, an import, a
 * restart, a stop. Each counts as a test; where no Docker daemon runs, all count as one skipped test.
 */
import { capture, run } from '../base/child.mjs'
import { inRoot, root } from '../base/paths.mjs'
import { one, skipped, sum } from '../testing/tally.mjs'
import { callNumbers } from './calls.mjs'
import { openContainer } from './container.mjs'

/**
 * @typedef {import('../testing/stages.mjs').Stage} Stage
 * @typedef {import('../testing/stages.mjs').Output} Output
 * @typedef {import('./container.mjs').Container} Container
 * @typedef {{env: NodeJS.ProcessEnv}} Machine
 * @typedef {{name: string, check: (container: Container, output: Output) => Promise<void>}} Check
 */

/** The longest that `docker stop` may take, in milliseconds. */
const STOP_MS = 3000

/** As short as the labs allow: this shows that they run, and measures nothing. */
const shortest = { repeats: 2, seconds: 1 }
/** The sweep has 35 cells. */
const sweep = { repeats: 1, seconds: 1 }

/**
 * @param {unknown} condition
 * @param {string} otherwise
 */
function must(condition, otherwise) {
  if (!condition) throw new Error(otherwise)
}

/**
 * Walks a whole lab: all its steps up to the last step with an action.
 *
 * @param {Container} container
 * @param {string} lab
 * @param {object} [params]
 */
async function walk(container, lab, params = shortest) {
  const id = await container.begin(lab)
  const last = await container.lastStep(lab)
  await container.start(id, last, { solve: true, params })
  const runs = await container.settled(id)
  const wrong = runs.filter(({ state }) => state !== 'completed')
  must(
    wrong.length === 0,
    `${lab}: ${JSON.stringify(wrong.map(({ stepId, state, problem }) => ({ stepId, state, problem })))}`,
  )
  must(runs.at(-1)?.stepId === last, `${lab} ended at ${runs.at(-1)?.stepId ?? 'no step'}, not at ${last}`)
  return runs
}

/** @param {string} name @param {string} lab @param {object} [params] @returns {Check} */
const walked = (name, lab, params) => ({ name, check: async (container) => void (await walk(container, lab, params)) })

/**
 * A NodePort lab runs with the arms that an ordinary user can do, and says why the other arms are left out.
 *
 * @param {string} lab
 * @param {readonly string[]} possible in the plan's order
 * @returns {Check}
 */
const nodeport = (lab, possible) => ({
  name: `the NodePort lab ${lab}, without what needs root on the machine`,
  async check(container, { say }) {
    const runs = await walk(container, lab, { repeats: 1, seconds: 0.5 })
    const { plan, leftOut } = runs.find((ended) => ended.plan !== null) ?? { plan: null, leftOut: [] }
    for (const { label, reason } of leftOut) say(`  left out here: ${label} (${reason})`)
    const arms = plan?.arms.map(({ id }) => id).join(' ')
    must(arms === possible.join(' '), `measured: ${arms ?? 'nothing'}`)
    const rooted = leftOut.filter(({ id, reason }) => (id === 'tc' || id === 'xdp') && reason.includes('root'))
    const others = leftOut.filter(({ id }) => id !== 'tc' && id !== 'xdp' && id !== 'ipvs')
    must(rooted.length === 2 && others.length === 0, JSON.stringify(leftOut))
  },
})

/** @type {readonly Check[]} */
const checks = [
  { name: 'docker compose up: ready', check: (container) => container.up() },
  {
    name: 'no root, no capability, and nothing outside of /data and memory can be written',
    async check(container) {
      const status = await container.exec(
        'sh',
        '-c',
        'id -u; grep -hE "^(CapEff|NoNewPrivs|Seccomp):" /proc/self/status; touch /app/x 2>&1; touch /tmp/x /data/x && rm /tmp/x /data/x',
      )
      must(/^10001\nCapEff:\s0+\nNoNewPrivs:\s1\nSeccomp:\s2\n.*Read-only file system\n$/.test(status), status)
    },
  },
  {
    name: 'system calls that no lab needs are refused, and those that make a testbed are not',
    async check(container) {
      const machine = (await container.exec('uname', '-m')).trim()
      const { allowed, refused } = callNumbers(machine)
      // Arguments that the kernel itself would answer in another way: with EFAULT, EBADF or EINVAL.
      const script = 'for (@ARGV) { $! = 0; $r = syscall(0 + $_, 0, 0, 0, 0, 0); printf "%d %d %d\\n", $_, $r, $! }'
      const all = [...Object.values(refused), allowed].map(String)
      const answers = (await container.exec('perl', '-e', script, ...all)).trim().split('\n')
      const [EPERM, ENOSYS] = [1, 38]
      const wrong = Object.entries(refused).flatMap(([name, number], index) =>
        [EPERM, ENOSYS].some((errno) => answers[index] === `${number} -1 ${errno}`)
          ? []
          : [`${name}: ${answers[index]}`],
      )
      must(wrong.length === 0, wrong.join(', '))
      must(answers.at(-1)?.startsWith(`${allowed} 0 `) === true, `unshare: ${answers.at(-1)}`)
    },
  },
  {
    name: 'the log has no token, and the command that prints the link',
    async check(container) {
      const { token } = await container.kept()
      const log = await container.log()
      must(!log.includes(token) && log.includes('exec expresslane node server/dist/data.js link'), log)
      const link = await container.exec('node', 'server/dist/data.js', 'link')
      must(link.includes(`/open?token=${token}\n`), 'the command does not print the link')
    },
  },
  walked('the lab on BIG TCP over IPv4', 'big-tcp-ipv4'),
  walked('the lab on BIG TCP over IPv6', 'big-tcp-ipv6'),
  walked('the sweep', 'how-big', sweep),
  walked('the capture', 'see-the-packets'),
  nodeport('nodeport-services', ['nftables', 'iptables']),
  nodeport('nodeport-rate', ['nftables', 'iptables', 'none']),
  {
    name: 'an import, which plays',
    async check(container) {
      const id = await container.importRecording(inRoot('recordings', 'big-tcp-ipv6.jsonl'))
      const session = await container.begin('big-tcp-ipv6', `recording:${id}`)
      const last = await container.lastStep('big-tcp-ipv6')
      await container.start(session, last, { solve: true, params: { speed: 20 } })
      const runs = await container.settled(session)
      must(runs.at(-1)?.state === 'completed', JSON.stringify(runs.at(-1)?.problem))
    },
  },
  {
    name: 'a restart with the same volume keeps the history, the recording and the token',
    async check(container) {
      const before = await container.kept()
      await container.down()
      await container.up()
      const after = await container.kept()
      must(before.runs > 0 && JSON.stringify(before) === JSON.stringify(after), JSON.stringify({ before, after }))
      await walk(container, 'big-tcp-ipv4')
    },
  },
  {
    name: `docker stop ends a measurement in under ${STOP_MS / 1000} s, and nothing is left of it`,
    async check(container, { say }) {
      const id = await container.begin('big-tcp-ipv4')
      await container.start(id, await container.lastStep('big-tcp-ipv4'), { solve: true, params: { seconds: 60 } })
      await container.running(id)
      const took = await container.stop()
      say(`  docker stop took ${(took / 1000).toFixed(2)} s`)
      must(took < STOP_MS, `docker stop took ${took.toFixed(0)} ms`)
      await container.up()
      const [latest] = await container.runs(id)
      must(latest?.state === 'cancelled', `the run is ${latest?.state ?? 'gone'}`)
    },
  },
]

/**
 * Docker builds with EXPRESSLANE_BUILD_OPTIONS, separated by spaces: `--network=host` where only the host reaches the registries.
 *
 * @param {Machine} machine
 * @param {Output} output
 */
async function build({ env }, { fd }) {
  const options = (env['EXPRESSLANE_BUILD_OPTIONS'] ?? '').split(' ').filter((option) => option !== '')
  const ended = await run('docker', ['build', ...options, '--tag', 'expresslane', '.'], {
    cwd: root,
    env: { ...env, DOCKER_BUILDKIT: '1' },
    stdio: ['ignore', fd, fd],
  })
  must(ended.code === 0, 'docker build failed; its output is above')
}

/** @param {Machine} machine @returns {Promise<string | null>} why the image can't be tried here */
async function missing({ env }) {
  if ((await capture('docker', ['version', '--format', '{{.Server.Version}}'], { env })) === null) {
    return 'no Docker daemon answers'
  }
  return (await capture('docker', ['compose', 'version'], { env })) === null ? 'Docker has no Compose 2' : null
}

/**
 * @param {Machine} machine
 * @param {readonly string[]} words only the checks with one of these in their names; none: all
 * @returns {Stage}
 */
export const tryImage =
  (machine, words = []) =>
  async (output) => {
    const { say } = output
    const why = await missing(machine)
    if (why !== null) {
      say(`SKIPPED the container image: ${why}`)
      return skipped
    }
    const tallies = []
    const container = await openContainer(machine.env)
    const [up, ...others] = checks
    const wanted = others.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
    const all = [{ name: 'the image builds', check: () => build(machine, output) }, up, ...wanted].filter(
      (each) => each !== undefined,
    )
    try {
      for (const { name, check } of all) {
        const begun = performance.now()
        try {
          await check(container, output)
          tallies.push(one(`image: ${name}`, true))
          say(`ok     image: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
        } catch (error) {
          tallies.push(one(`image: ${name}`, false))
          say(`FAILED image: ${name}\n${error instanceof Error ? error.message : String(error)}`)
          // Without an image or a server the rest would fail for the same reason.
          if (sum(tallies).passed < 2) break
        }
      }
      if (sum(tallies).failed.length > 0) say(await container.log())
    } finally {
      await container.remove()
    }
    return sum(tallies)
  }
