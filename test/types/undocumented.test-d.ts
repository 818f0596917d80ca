/** Has a docstring, as one of its members has none. */
export interface Told {
  /** Said. */
  readonly said: string
  readonly bare: string
}

/** Takes options, of which one has no docstring. */
export const told = (options: { readonly inner: number }): number => options.inner

export const untold = 1
