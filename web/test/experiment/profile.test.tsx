// @vitest-environment happy-dom
/** Why two arms differ: in words, by group, as a flame graph that keys move in, and as a table. */
import { cleanup, render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { ArmProfile, MadeProfile } from '@expresslane/shared/profile/made'
import { bigTcp } from '@expresslane/shared/test/profiled'
import { ProfileView } from '../../src/experiment/profile/profile-view.tsx'

const { off, on } = bigTcp

const arm = (id: string, label: string) => ({ id, label, settings: {} })
const plan: ExperimentPlan = {
  arms: [arm('off', 'Without BIG TCP'), arm('on', 'With BIG TCP'), arm('more', 'With more')],
  cases: [
    {
      id: 'large',
      label: '80 kB',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 5, seconds: 1, warmups: 0, budget: null },
}

function profiled(id: string, profile: MadeProfile | null, reason: string | null = null): ArmProfile {
  return { arm: id, caseId: 'large', profile, reason }
}

afterEach(cleanup)

const focused = (): string => document.activeElement?.getAttribute('aria-label') ?? ''
const frame = (name: string): HTMLElement => {
  const [first] = screen.getAllByRole('button', { name: new RegExp(`^${name}: `) })
  if (first === undefined) throw new Error(`no ${name}`)
  return first
}

describe('why two arms differ', () => {
  beforeEach(() => {
    render(<ProfileView plan={plan} profiles={[profiled('off', off), profiled('on', on)]} />)
  })

  it('is a sentence, the branch that explains most, and what the profiler missed', () => {
    expect(screen.getByText(/^A transaction takes 55,636 instructions fewer \(26\.5/)).toBeTruthy()
    expect(
      screen.getByText(/^50.% of the difference is tcp_recvmsg_locked → __tcp_transmit_skb: 2\.0 → 0\.0 calls/),
    ).toBeTruthy()
    expect(screen.getByText(/lost no context, and found [\d,]+ returns without a call/)).toBeTruthy()
  })

  it('is a table of groups, of which the smaller are shown when asked for', async () => {
    const table = screen.getByRole('region', { name: 'Groups of functions' })
    expect(within(table).getAllByRole('rowheader')).toHaveLength(8)
    expect(within(table).getAllByRole('row')[1]?.textContent).toMatch(
      /^IP, routing and neighbours30,128 →\s17,727−12,40122 %$/,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Show all 20 groups' }))
    expect(within(table).getAllByRole('rowheader')).toHaveLength(20)
  })

  it('is a flame graph that arrow keys move in', async () => {
    frame('everything').focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(focused()).toMatch(/^__x64_sys_recvfrom/)
    await userEvent.keyboard('{ArrowRight}')
    expect(focused()).toMatch(/^__x64_sys_sendto/)
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toMatch(/^do_syscall_64/)
    expect(screen.getByText(/^do_syscall_64: .* of the difference$/)).toBeTruthy()
  })

  it('shows a context over the whole width, and its callers to go back to', async () => {
    frame('__x64_sys_recvfrom').focus()
    await userEvent.keyboard('{Enter}')
    expect(focused()).toMatch(/^__x64_sys_recvfrom/)
    expect(screen.queryByRole('button', { name: /^__x64_sys_sendto: / })).toBeNull()
    const callers = screen.getByRole('navigation', { name: 'Callers' })
    expect(
      within(callers)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['everything', 'entry_SYSCALL_64_after_hwframe', 'do_syscall_64'])
    await userEvent.click(within(callers).getByRole('button', { name: 'do_syscall_64' }))
    expect(focused()).toMatch(/^do_syscall_64/)
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toMatch(/^entry_SYSCALL_64_after_hwframe/)
    await userEvent.keyboard('{Escape}')
    expect(focused()).toMatch(/^everything/)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  it('can be searched, in the graph and in the table of functions', async () => {
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search for a function' }), 'ip_rcv')
    expect(screen.getByRole('status').textContent).toMatch(/^3 functions: 4,832 → 2,931 instructions/)
    const table = screen.getByRole('region', { name: 'Functions' })
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['ip_rcv_core', 'ip_rcv_finish_core', 'ip_rcv'])
    await userEvent.type(screen.getByRole('searchbox'), 'nowhere')
    expect(screen.getByText('There is none.')).toBeTruthy()
  })
})

describe('several arms', () => {
  it('are a choice, with the reason where an arm has no profile', async () => {
    const reason = 'The machine made no profile.'
    render(
      <ProfileView plan={plan} profiles={[profiled('off', off), profiled('on', on), profiled('more', null, reason)]} />,
    )
    const choice = screen.getByRole('combobox', { name: 'Compared with Without BIG TCP' })
    await userEvent.selectOptions(choice, 'With more')
    expect(screen.getByText(`No profile of “With more”: ${reason}`)).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Functions' })).toBeNull()
    await userEvent.selectOptions(choice, 'With BIG TCP')
    expect(screen.getByRole('region', { name: 'Functions' })).toBeTruthy()
  })

  it('are not compared by different units of work', () => {
    render(<ProfileView plan={plan} profiles={[profiled('off', off), profiled('on', { ...on, unit: 'megabyte' })]} />)
    expect(screen.getByText(/^No comparison: One profile is of a transaction/)).toBeTruthy()
  })
})
