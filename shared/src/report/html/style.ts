/** The HTML report's one stylesheet: light and dark by the reader's own setting, and paper. */
import { escapeMarkup } from '../../charts/draw/svg.ts'
import { darkColors, FONT, lightColors, type ColorName } from '../../charts/draw/palette.ts'

function variables(colors: Readonly<Record<ColorName, string>>): string {
  return Object.entries(colors)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ')
}

const reportStyle = `
:root { color-scheme: light dark; ${variables(lightColors)} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(darkColors)} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 ${FONT}; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 64px; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.4rem; margin: 44px 0 14px; }
h3 { font-size: 1.15rem; }
p { margin: 8px 0; }
header p { color: var(--muted); }
section.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 22px 24px; margin: 16px 0; }
.verdict { font-weight: 650; font-size: 1.15rem; margin: 6px 0 4px; }
.verdict[data-verdict='improved'] { color: var(--good); }
.verdict[data-verdict='worse'] { color: var(--bad); }
.verdict[data-verdict='too-few'] { color: var(--warn); }
.technical, .note { color: var(--muted); }
.notice { border: 1px solid var(--warn); background: var(--warn-soft); border-radius: 10px; padding: 12px 16px; margin: 14px 0; }
.notice ul { margin: 6px 0 0; padding-left: 22px; }
.chart, .scroll { overflow-x: auto; margin: 16px 0; }
.chart svg { display: block; width: 100%; min-width: 600px; max-width: 760px; height: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: 6px; }
th, td { text-align: right; padding: 7px 0 7px 14px; white-space: nowrap; border-top: 1px solid var(--line); }
th { font-weight: 500; }
thead th { border-top: 0; color: var(--muted); white-space: normal; vertical-align: bottom; }
table:is(.words, .found) :is(th, td), th:first-child, td:first-child, table.runs :is(th, td):nth-child(2) { text-align: left; }
th:first-child, td:first-child { padding-left: 0; }
/* Their words are the longest, and the last column would be cut off. */
table.figures td:is(:nth-child(6), :last-child) { white-space: normal; }
/* Any words of a tool: lines of a page stay lines. */
table.found :is(th, td) { white-space: pre-line; overflow-wrap: anywhere; vertical-align: top; min-width: 7ch; }
table.brief th:first-child { white-space: normal; min-width: 240px; }
tr[data-warmup] { color: var(--muted); font-style: italic; }
dl { display: grid; grid-template-columns: minmax(120px, 220px) 1fr; gap: 4px 18px; margin: 12px 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
details { margin: 14px 0 0; }
/* On the page itself, not in a card. */
main > details > summary { font-size: 1.15rem; }
summary { cursor: pointer; font-weight: 500; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; margin: 10px 0 0; overflow-x: auto; font: 14px/1.5 'JetBrains Mono Variable', ui-monospace, 'Cascadia Mono', Menlo, monospace; }
pre b { font-weight: 700; }
pre i { font-style: normal; color: var(--bad); }
footer { color: var(--muted); margin-top: 48px; }
@media (max-width: 640px) { main { padding: 20px 16px 48px; } section.card { padding: 16px; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; } }
@media print {
  :root { color-scheme: light; }
  @page { margin: 16mm 14mm; }
  body { background: none; font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  section.card { border: 0; border-radius: 0; padding: 0; margin: 10pt 0 20pt; }
  h2, h3, summary, caption { break-after: avoid; }
  .chart, .notice, tr, dl { break-inside: avoid; }
  .chart, .scroll, pre { overflow: visible; }
  .chart svg { min-width: 0; }
  table { font-size: 9pt; }
  th, td { padding: 4pt 0 4pt 7pt; }
  th:first-child { white-space: normal; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 0; padding: 0; background: none; font-size: 8pt; }
  * { print-color-adjust: exact; }
}
`

/** The beginning of a report's file, up to its header. */
export function documentHead(title: string): string {
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // A file on a disk has no server that sends this header.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeMarkup(title)}</title><style>${reportStyle}</style></head><body><main>`,
  ].join('')
}
