/** The lab about load balancing, by mouse: the table is drawn, and a reply goes past the balancer. */
import { expect, test } from '../support/app.ts'
import { LabPage } from '../support/lab-page.ts'

test('the lab of load balancing: from the start page to Restore', async ({ page, app }) => {
  test.setTimeout(900_000)
  const lab = await LabPage.start(page, app, 'Who keeps the flows?')
  await expect(lab.path).toContainText('No pods are deployed')
  await lab.pass('Preflight', 'Run preflight')
  await lab.pass('Choose Maglev', 'Choose Maglev')
  await expect(lab.path).toContainText('Chosen for the next pods: Maglev')
  await lab.pass('Build the path', 'Build')
  await lab.pass('Look at the table', 'Read')
  await expect(lab.result).toContainText('The balancer works with Maglev, and has 5 backends.')
  await expect(lab.path.getByRole('img', { name: 'The backend of each of 1,021 buckets' })).toBeVisible()
  await expect(lab.path.getByRole('img', { name: /buckets must move, and no other moves/ })).toBeVisible()

  // `server/test/features/load-balancing/balancer-contract.ts` measures each way with each event.
  await lab.next('Measure')
  await lab.next('A table and a memory')
  await lab.pass('How large a table?', 'Compare the sizes')
  await expect(lab.result).toContainText('Move without need')
  await lab.pass('Follow a reply', 'Follow a reply')
  await expect(lab.result).toContainText('The reply comes from 10.96.0.1, and balancer has sent it.')
  await lab.pass('Let the backend reply directly', 'Follow a direct reply')
  await expect(lab.result).toContainText('The reply comes from 10.96.0.1, and backend1 has sent it.')
  await lab.next('What does DSR gain?')
  await lab.next('What it means')
  await lab.pass('Restore', 'Restore')
  await expect(lab.path).toContainText('No pods are deployed')
})
