/** Figures of one row by what they count: `rolldown` and `esbuild` (bytes), `bytes`, `files`, `ratio`, … */
export type Figures = Readonly<Record<string, number>>

/** What one figure may be at most, and what it should become. */
export interface Budget {
  readonly budget: number
  readonly aim?: number
}

/** `budgets.json`: by row and figure. */
export type Budgets = Readonly<Record<string, Readonly<Record<string, Budget>>>>
