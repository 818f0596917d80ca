/**
 * Action types that the platform misspells. The specification says that REDIRECTING_FRIEND and REQUEST_APARTMENT_LINK
 * have misspelled variants in the product, and does not give them; so the table is configuration.
 */
import type { ActionType, Aliases } from "./model.js"

/** An action type in its right spelling: what a misspelled one stands for, any other as it is. */
export const normalise = (type: string, aliases: Aliases = {}): string =>
  Object.hasOwn(aliases, type) ? (aliases[type] ?? type) : type

/** All spellings of an action type, the right one first: what to ask for in `typeIn`. */
export const spellings = (type: ActionType, aliases: Aliases = {}): ReadonlyArray<string> => [
  type,
  ...Object.keys(aliases).filter((spelling) => aliases[spelling] === type && spelling !== type)
]
