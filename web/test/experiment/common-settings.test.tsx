// @vitest-environment happy-dom
import { clusterFacts, testbed } from '@expresslane/shared/test/builders'
import type { Settings } from '@expresslane/shared/base/settings'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { CommonSettings } from '../../src/experiment/index.ts'

afterEach(cleanup)

const facts = clusterFacts([], { kind: 'netns', name: 'This machine', kernel: '6.18', cluster: null })

describe('the settings that all arms of a lab’s experiment share', () => {
  it('are chosen once, and each choice is explained', async () => {
    const chosen: Settings[] = []
    const view = testbed({ facts, capabilities: ['cpu-placement'] })
    render(
      <CommonSettings
        feature="big-tcp"
        testbed={view}
        chosen={{}}
        onChange={(settings) => chosen.push(settings)}
        disabled={false}
      />,
    )
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'CPU placement' }), 'Chosen by the scheduler')
    expect(chosen).toEqual([{ 'cpu-placement': 'scheduler' }])
    expect(screen.getByText(/Repeats differ by where it put them/)).toBeTruthy()
  })

  it('show why the testbed can’t set one', () => {
    const lacks = [{ capability: 'cpu-placement', reason: 'The nodes choose.' }]
    render(
      <CommonSettings
        feature="big-tcp"
        testbed={testbed({ facts, capabilities: [], lacks })}
        chosen={{}}
        onChange={() => {}}
        disabled={false}
      />,
    )
    expect(screen.getByRole('combobox', { name: 'CPU placement' }).hasAttribute('disabled')).toBe(true)
    expect(screen.getByText('The nodes choose.')).toBeTruthy()
  })
})
