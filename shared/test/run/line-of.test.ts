import { describe, expect, it } from 'vitest'
import { lineOf } from '../../src/run/fold.ts'

function end(exitCode: number | null, signal: string | null) {
  const line = lineOf({ seq: 1, event: { type: 'command.ended', commandId: 1, exitCode, signal } })
  return line === null ? null : [line.kind, line.text]
}

describe('the end of a command', () => {
  it('has a line where it failed, or something else ended it', () => {
    expect(end(1, null)).toEqual(['exit', 'exit 1'])
    expect(end(null, 'SIGKILL')).toEqual(['exit', 'ended by SIGKILL'])
  })

  it('is no failure where Expresslane ended it, as it ends a capture that has its packets', () => {
    expect(end(null, null)).toEqual(['stopped', 'ended by Expresslane'])
  })

  it('has none where it succeeded', () => {
    expect(end(0, null)).toBeNull()
  })
})
