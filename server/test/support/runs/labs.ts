/** The shipped labs, as the server reads them. */
import { shippedLabs } from '../../../src/config.ts'
import { bench } from '../../../src/labs/bench.ts'
import { createLabCatalogue } from '../../../src/labs/catalogue.ts'

export const shipped = createLabCatalogue([{ path: shippedLabs, origin: 'shipped', watched: false }], [bench])

export const labs = shipped.all()
