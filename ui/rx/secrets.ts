/** Which calls may be queries: what one is asked with is kept, in keys, in states that travel and in storages. */

import { InputError, isSecretData, type Operation } from "@quartet/sdk/extend"
import * as AST from "effect/SchemaAST"

/**
 * Throws InputError for a call that takes a secret, such as a sign-in, and names the field. What an app puts into open fields is its own:
 * by their names alone, a `pageToken` or a `promoCode` is as much a secret as a password.
 */
export const refuseSecrets = ({ declaration, name: operation }: Operation<never, unknown, never>): void => {
  const names = AST.getPropertySignatures(declaration().input.ast).map(({ name }) => String(name))
  const field = names.find(isSecretData)
  if (field === undefined) return
  const rule = "is a secret, and a query keeps what it is asked with: make the call a mutation"
  throw new InputError({ operation, field, rule })
}
