/** Made when the site is built (`vite.site.config.ts`). */
declare module 'virtual:shipped' {
  import type { RecordingView } from '@expresslane/shared/recordings/recording'
  import type { LabsResponse } from '@expresslane/shared/wire/protocol'

  export const recordings: readonly RecordingView[]
  /** By language, two letters (ISO 639-1). */
  export const labs: Readonly<Record<string, () => Promise<Omit<LabsResponse, 'testbeds'>>>>
  /** Of Expresslane. */
  export const version: string
}
