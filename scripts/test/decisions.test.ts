import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'

const folder = inRoot('docs', 'decisions')
const files = readdirSync(folder).filter((file) => /^\d{4}-/.test(file))
const index = readFileSync(`${folder}/README.md`, 'utf8')

test.each(files)('%s has a number, a date and a status, and the index says the same', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8')
  const head = /^# (\d+\. .+)\n\n- Date: (\d{4}-\d\d-\d\d)\n- Status: (accepted|replaced by \d+)\n/.exec(text)
  expect(head, 'title, date and status').not.toBeNull()
  const [, title = '', date = '', status = ''] = head ?? []
  expect(Number.parseInt(title)).toBe(Number(file.slice(0, 4)))
  const line = index.split('\n').find((one) => one.includes(`(${file})`)) ?? ''
  expect(line.split('|').map((cell) => cell.trim())).toEqual(['', `[${title}](${file})`, date, status, ''])
})

test('no number is used twice', () => {
  const numbers = files.map((file) => file.slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
})
