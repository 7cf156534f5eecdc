/** System calls that the container's filter (manifests/seccomp.json) refuses, and their numbers. */

/** Newer calls have the same number on all architectures (scripts/syscall.tbl in Linux). */
const common = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
}

/** By `uname -m`. `unshare` is allowed. */
const numbers = {
  x86_64: {
    allowed: 272,
    refused: {
      ...common,
      bpf: 321,
      keyctl: 250,
      add_key: 248,
      request_key: 249,
      perf_event_open: 298,
      userfaultfd: 323,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      kexec_load: 246,
      kexec_file_load: 320,
    },
  },
  aarch64: {
    allowed: 97,
    refused: {
      ...common,
      bpf: 280,
      keyctl: 219,
      add_key: 217,
      request_key: 218,
      perf_event_open: 241,
      userfaultfd: 282,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      kexec_load: 104,
      kexec_file_load: 294,
    },
  },
}

/**
 * @param {string} machine as `uname -m` prints it
 * @returns {{allowed: number, refused: Readonly<Record<string, number>>}}
 */
export function callNumbers(machine) {
  if (machine === 'x86_64' || machine === 'aarch64') return numbers[machine]
  throw new Error(`no numbers of system calls for ${machine}`)
}

/** The names of the calls that are refused. */
export const refusedCalls = Object.keys(numbers.x86_64.refused)
