/** The command palette. Public exports of this folder. */
export { PaletteButton } from './palette-button.tsx'
