/** What a wall is, and what the walls of several packages share. */

/** One pattern of oxlint's `no-restricted-imports`. The regular expressions know no look-ahead; groups match like .gitignore. */
export interface Pattern {
  readonly regex?: string
  readonly group?: readonly string[]
  readonly message: string
}

/** What some files must not import. A later wall replaces an earlier one for the same file, so each lists everything. */
export interface Wall {
  readonly files: readonly string[]
  readonly forbidden: readonly Pattern[]
}

const aFeatureMessage = 'Only the registries name one feature; other code asks them by id.'
/** A module of one feature, in this package or in shared. */
export const oneFeature: Pattern = { regex: '(^|\\./|/)features/[^/]+/', message: aFeatureMessage }
/** The same as seen from beside the registry. */
export const featureBeside: Pattern = { regex: '^\\./[^/]+/|/features/[^/]+/', message: aFeatureMessage }

/** The files of a feature: `own`, and no module of another feature. */
export function insideFeatures(folder: string, own: readonly Pattern[]): Wall[] {
  const message = 'A feature imports no other feature.'
  return [
    { files: [`${folder}/*/*`], forbidden: [...own, { regex: '^\\.\\./[^./][^/]*/', message }] },
    { files: [`${folder}/*/*/**`], forbidden: [...own, { regex: '^\\.\\./\\.\\./[^./][^/]*/', message }] },
  ]
}
