/** Writes 1 MB as `npm run lab -- LAB --json FILE` writes its result. */
import { requireWritable, writeResult } from '../../../src/headless/result-file.ts'

const file = process.argv[2] ?? ''
await requireWritable(file)
await writeResult(file, 'x'.repeat(1_000_000))
