/** The compiler's options of an app that uses the package: strict, and no build of its own, since that would lead it to this package's sources. */
export const appOptions = {
  target: "es2022",
  lib: ["es2022", "DOM", "DOM.Iterable", "ESNext.Disposable"],
  module: "nodenext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true
}
