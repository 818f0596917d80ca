/** Access to a served sandbox: programs and pages of this machine, and whoever it is told. */

import { InputError } from "@quartet/sdk/extend"
import { Guard } from "@quartet/sdk/extend/http"
import * as Either from "effect/Either"

/** What would allow a host or an origin. */
const advise: Guard.Guarded["advise"] = (what, value) =>
  what === "host"
    ? `. Allow it with --allow-host ${value}, in code with allowedHosts`
    : `. Allow them with --allow-origin ${value}, in code with allowedOrigins`

/** Makes the check of a sandbox that listens on the host. */
export const make = (
  { allowedHosts = [], allowedOrigins = [] }: Guard.Options,
  host: string
): Either.Either<Guard.Check, InputError> =>
  Either.mapLeft(
    Guard.make({ name: "the sandbox", host, pages: "loopback", allowedHosts, allowedOrigins, advise }),
    (mistake) => new InputError({ operation: "sandbox.serve", ...mistake })
  )
