/** A recording of the list, as the server describes it. */
export const aRecording = {
  id: 'one',
  name: 'A quiet morning',
  lab: 'big-tcp-ipv4',
  recordedAt: 1,
  testbed: 'netns',
  testbedName: 'This machine',
  kernel: '6.18',
  runs: 3,
  lastsMs: 60_000,
  shipped: false,
}
