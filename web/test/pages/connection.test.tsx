// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { hello } from '../api/fake-network.ts'
import { openPage } from './open-page.tsx'

const badge = () => screen.getByRole('status', { name: 'Connection' }).textContent

describe('the connection badge', () => {
  it('says that the page connects, is live, reconnects, and is live again', () => {
    const { network, send, happens } = openPage('/', {}, { connected: false })
    expect(badge()).toBe('connecting')
    send(hello(0))
    expect(badge()).toBe('live')
    happens(() => network.line().breakOff())
    expect(badge()).toBe('reconnecting')
    happens(() => network.pass())
    send(hello(0))
    expect(badge()).toBe('live')
  })

  it('shows that the server is unreachable after some failed attempts, and what to do', () => {
    const { network, happens } = openPage('/')
    happens(() => {
      network.line().breakOff()
      for (let tries = 0; tries < 4; tries += 1) {
        network.pass()
        network.line().breakOff()
      }
    })
    expect(badge()).toBe('offline')
    expect(screen.getByRole('status', { name: 'Connection' }).title).toContain('npm start')
  })

  it('asks to reload a page that is older than the server', () => {
    const { network, happens } = openPage('/')
    happens(() => network.line().sendRaw('{"type":"of the future"}'))
    expect(badge()).toMatch(/reload/)
  })
})
