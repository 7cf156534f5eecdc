import { labsResponse } from '@expresslane/shared/wire/protocol'
import { expect, it } from 'vitest'
import { classroom, participant } from '../support/http/people.ts'

it('compresses large answers for those who are not the instructor, when the browser takes that', async () => {
  const { server } = await classroom()
  const her = participant('alice').token
  const get = (token: string, encoding: string) =>
    fetch(`http://127.0.0.1:${server.port}/api/labs`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
    })
  const packed = await get(her, 'gzip, br')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(labsResponse.parse(await packed.json()).labs).toHaveLength(server.deps.labs.all().length)
  expect((await get(her, 'identity')).headers.get('content-encoding')).toBeNull()
  expect((await get(server.token, 'gzip')).headers.get('content-encoding')).toBeNull()
})
