/** A process that serves a fake testbed, like main.ts with real ones. Its measurements stop at their first sample. */
import { readConfig } from '../../../src/config.ts'
import { endAnyway } from '../../../src/process.ts'
import { serve } from '../../../src/serve.ts'
import { fakeOutside } from './fake-outside.ts'
import { createFakeTestbed } from './fake-testbed.ts'

const fake = createFakeTestbed(`process-${process.pid}`)
if (process.env['FAKE_HOLDS'] === 'netperf') fake.hold('netperf')
// Never closes.
if (process.env['FAKE_HOLDS'] === 'close') fake.hold('close', { deaf: true })
const { outside } = fakeOutside({ fakes: [fake] })
const serving = await serve(readConfig(process.env), outside)
process.stdout.write(`${JSON.stringify({ port: serving.port, token: serving.token, pid: process.pid })}\n`)
process.on(
  'SIGTERM',
  () =>
    void serving.stop().then(() => {
      endAnyway(serving.deps.left())
      process.exit(0)
    }),
)
