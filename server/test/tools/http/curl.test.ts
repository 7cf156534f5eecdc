import { describe, expect, test } from 'vitest'
import { curlArgv, parsePage } from '../../../src/tools/http/curl.ts'

/** As curl 7.88 prints it, without what is not read. */
const printed = (more: object): string =>
  JSON.stringify({
    errormsg: null,
    exitcode: 0,
    http_code: 200,
    local_ip: 'fd46::2',
    local_port: 58_230,
    remote_ip: 'fd64:ff9b::a04:2',
    remote_port: 80,
    time_total: 0.000193,
    url: 'http://[fd64:ff9b::a04:2]:80/',
    ...more,
  })

describe('a page that curl opened', () => {
  test('has the client as both ends see it', () => {
    const page = ['<!doctype html>', "<h1>You've reached an IPv4-only page</h1>"]
    expect(parsePage([...page, '', '10.99.0.1 58230', printed({})])).toEqual({
      status: 200,
      text: page.join('\n'),
      local: { address: 'fd46::2', port: 58_230 },
      remote: { address: 'fd64:ff9b::a04:2', port: 80 },
      seen: { address: '10.99.0.1', port: 58_230 },
      seconds: 0.000193,
    })
  })

  test('from another server does not say whom it saw', () => {
    expect(parsePage(['hello', ' ', printed({})])).toMatchObject({ text: 'hello', seen: null })
  })

  test('can fail to come', () => {
    const failed = { exitcode: 7, http_code: 0, local_ip: '', local_port: 0, remote_ip: '', remote_port: 0 }
    const nothing = { status: null, text: '', local: null, remote: null, seen: null }
    expect(parsePage(['', ' ', printed(failed)])).toMatchObject(nothing)
  })

  test.each([[[]], [['curl: (7) Failed to connect']], [['', ' ', '{}']]])('can’t be read from %s', (lines) => {
    expect(() => parsePage(lines)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
  })

  test('has its address in brackets if it is of IPv6', () => {
    expect(curlArgv('10.4.0.2', 80, 5).at(-1)).toBe('http://10.4.0.2:80/')
    expect(curlArgv('fd46::2', 8080, 5).at(-1)).toBe('http://[fd46::2]:8080/')
  })
})
