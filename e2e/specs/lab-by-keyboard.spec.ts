import { expect, test } from '../support/app.ts'
import { MOST_TABS, tabTo } from '../support/keyboard.ts'
import { LabPage } from '../support/lab-page.ts'

test('the whole IPv6 lab by keyboard alone', async ({ page, app }) => {
  await page.goto(app.link)
  const start = page.getByRole('button', { name: 'Start: BIG TCP over IPv6 on this machine' })
  await expect(start).toBeVisible()
  for (let pressed = 0; pressed < MOST_TABS; pressed += 1) {
    if (await start.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  const lab = new LabPage(page)
  await lab.expectStep('Why bigger packets?')

  const walk: [title: string, label: string][] = [
    ['Preflight', 'Run preflight'],
    ['Verify that BIG TCP is off', 'Verify'],
    ['Deploy netperf', 'Deploy'],
    ['Read the sizes', 'Read'],
    ['Baseline', 'Measure'],
    ['Switch BIG TCP on', 'Enable'],
    ['Read again: nodes changed, pods not yet', 'Read'],
    ['Redeploy the pods', 'Redeploy'],
    ['Measure again', 'Measure'],
    ['Compare', 'Compare'],
    ['Restore', 'Restore'],
  ]
  for (const [title, label] of walk) {
    await page.keyboard.press('ArrowRight')
    await lab.expectStep(title)
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeFocused()
    if (label === 'Measure') {
      for (const value of ['1', '1']) {
        await page.keyboard.press('Tab')
        while (!(await page.evaluate(() => document.activeElement instanceof HTMLInputElement))) {
          await page.keyboard.press('Tab')
        }
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(value)
      }
    }
    await tabTo(page, label)
    await page.keyboard.press('Enter')
    await lab.expectPassed()
  }
})
