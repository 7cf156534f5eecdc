/** The look of Recharts' axes. */

export const tick = { fill: 'var(--muted)', fontSize: 16, fontFamily: 'var(--font-ui)' }
export const axisLine = { stroke: 'var(--line-strong)' }
export const gridColor = 'var(--line)'
