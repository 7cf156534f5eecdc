/** The labs and the testbeds that they run on. Public exports of this folder. */
export { LabCard } from './lab-card.tsx'
export { LabProblems } from './lab-problems-lazy.tsx'
export { SteadierTestbed } from './steadier-testbed.tsx'
export { TestbedCard } from './testbeds/testbed-card.tsx'
export { UnusableTestbeds } from './unusable-testbeds.tsx'
