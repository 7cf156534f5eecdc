import { currentContext, expect, test, withUnreachable } from '../../support/cluster.ts'

const nowhere = 'nowhere'

test.describe('a kubeconfig with two contexts', () => {
  test.use({
    serverEnv: async ({ directory, serverEnv }, use) => {
      const both = await withUnreachable(nowhere, directory, serverEnv['KUBECONFIG'] ?? '')
      await use({ ...serverEnv, KUBECONFIG: both, EXPRESSLANE_CONTEXT: '' })
    },
  })

  test('no cluster is used before one is chosen; an unreachable one shows its problem, and the other works', async ({
    page,
    app,
  }) => {
    const real = await currentContext()
    await page.goto(app.link)
    const card = page.getByRole('article', { name: /^(Kubernetes cluster|Cluster )/ })
    const start = page.getByRole('button', { name: 'Start: BIG TCP over IPv4 on cluster' })
    await expect(card.getByLabel('Context').getByRole('option')).toHaveCount(2)
    await expect(card.getByRole('button', { name: 'Use this context' })).toBeEnabled()
    await expect(start).toHaveCount(0)

    await card.getByLabel('Context').selectOption(nowhere)
    await card.getByRole('button', { name: 'Use this context' }).click()
    await expect(
      card.getByText(`The API server of context ${nowhere} can't be reached.`, { exact: true }),
    ).toBeVisible()
    await expect(card.getByText(`kubectl --context ${nowhere} cluster-info`)).toHaveCount(1)
    await expect(start).toHaveCount(0)

    await card.getByLabel('Context').selectOption(real)
    await card.getByRole('button', { name: 'Use this context' }).click()
    await expect(page.getByRole('heading', { name: `Cluster ${real}` })).toBeVisible()
    await expect(card.getByText(/^Preflight: \d+ of \d+ checks passed$/)).toBeVisible()
    await page.getByRole('button', { name: `Start: BIG TCP over IPv4 on cluster ${real}` }).click()
    await expect(page.getByText(`cluster ${real}, Kubernetes`)).toBeVisible()
  })
})
