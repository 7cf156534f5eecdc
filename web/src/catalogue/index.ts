/** The labs, and the testbeds that they run on. What other rooms and the pages may use. */
export { LabCard } from './lab-card.tsx'
export { LabProblems } from './lab-problems-lazy.tsx'
export { TestbedCard } from './testbed-card.tsx'
export { UnusableTestbeds } from './unusable-testbeds.tsx'
