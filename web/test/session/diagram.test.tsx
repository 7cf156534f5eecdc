// @vitest-environment happy-dom
import { diagram } from '@expresslane/shared/labs/diagram'
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { DiagramView } from '../../src/session/diagram/diagram-view.tsx'

const of = diagram.parse({
  title: 'Where it is big',
  arms: ['off', 'on', 'more'],
  nodes: [
    { label: 'TCP', note: 'makes packets', switched: true, under: { off: 'two packets', on: 'one packet' } },
    { label: 'Node', skippedBy: ['on'] },
    { label: 'Server' },
  ],
})
const arms = [
  { id: 'off', label: 'Without', settings: { big: false } },
  { id: 'on', label: 'With', settings: { big: true } },
  { id: 'more', label: 'With more', settings: { big: true, more: true } },
  { id: 'other', label: 'Not drawn', settings: {} },
]

const places = () =>
  within(screen.getByRole('figure', { name: 'Where it is big' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const chosen = () => screen.getByRole('button', { pressed: true }).textContent
const isNew = () => screen.getByRole('list').dataset['new']

afterEach(cleanup)

describe('a diagram', () => {
  it('shows the first arm without moving, and says what the lab switches', () => {
    render(<DiagramView of={of} arms={arms} settings={null} />)
    expect(places()).toEqual(['TCPmakes packetstwo packetsswitched here', 'Node', 'Server'])
    expect(chosen()).toBe('Without')
    expect(screen.getAllByRole('button')).toHaveLength(3)
    expect(isNew()).toBe('false')
  })

  it('shows the arm that the reader chooses, and animates the change', async () => {
    render(<DiagramView of={of} arms={arms} settings={null} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'With' }))
    expect(places()).toEqual(['TCPmakes packetsone packetswitched here', 'Nodeskipped', 'Server'])
    expect(isNew()).toBe('true')
  })

  it('follows the setting of the path, also after a choice', async () => {
    const { rerender } = render(<DiagramView of={of} arms={arms} settings={{ big: true }} />)
    expect([chosen(), isNew()]).toEqual(['With', 'false'])
    await userEvent.setup().click(screen.getByRole('button', { name: 'Without' }))
    rerender(<DiagramView of={of} arms={arms} settings={{ big: true, small: 1 }} />)
    expect(chosen()).toBe('Without')
    rerender(<DiagramView of={of} arms={arms} settings={{ big: false }} />)
    expect([chosen(), isNew()]).toEqual(['Without', 'true'])
    // Two arms fit, and the last counts.
    rerender(<DiagramView of={of} arms={arms} settings={{ big: true, more: true }} />)
    expect(chosen()).toBe('With more')
  })
})
