/** What may be asked in a query: its input is kept, in keys, in states that travel and in storages. */
import * as Either from "effect/Either"
import { InputError } from "../../core/kernel/errors/errors.js"
import { secretFieldOf } from "../../core/kernel/redaction/secret-field.js"
import { isSecretData } from "../../core/kernel/redaction/sent-secrets.js"

/** The field of a value that holds a secret. What holds itself is no input: its call is refused by the client. */
export const secretIn = (value: unknown): string | undefined =>
  Either.getOrUndefined(Either.try(() => secretFieldOf(value, isSecretData)))

/** Throws InputError for an input that holds a secret, and names its field. */
export const refuseSecrets = (operation: string, input: unknown): void => {
  const field = secretIn(input)
  if (field === undefined) return
  const rule = "is named like a secret, and a query keeps what it is asked with: make the call a mutation"
  throw new InputError({ operation, field, rule })
}
