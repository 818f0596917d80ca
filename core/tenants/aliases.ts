/**
 * Action types that the platform misspells. The specification says that REDIRECTING_FRIEND and REQUEST_APARTMENT_LINK
 * have misspelled variants in the product, and does not give them; so the caller passes the table.
 */
import type { ActionType, Aliases } from "./model.js"

/** An action type in its correct spelling; unknown ones stay unchanged. @category getters */
export const normalise = (type: string, aliases: Aliases = {}): string =>
  Object.hasOwn(aliases, type) ? (aliases[type] ?? type) : type

/** All spellings of an action type, the correct one first: the value for `typeIn`. @category getters */
export const spellings = (type: ActionType, aliases: Aliases = {}): ReadonlyArray<string> => [
  type,
  ...Object.keys(aliases).filter((spelling) => aliases[spelling] === type && spelling !== type)
]
