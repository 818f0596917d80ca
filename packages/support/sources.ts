/** How bundlers find the repository's packages: in their sources, or as they are built. */

/** Stands in `exports` and `imports` of each package, and in no published manifest. */
export const condition = "@quartet/source"

/** The conditions of a bundle of sources. */
export const conditions: ReadonlyArray<string> = [condition, "module"]
