/** Finds a call by its name, and binds it to whichever client has it. */

import {
  type Bindable,
  type Bytes,
  binder,
  type Call,
  type Download,
  downloader,
  type Operation,
  type Page
} from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import { audiences, type ClientName, clientOf } from "../connection.js"
import { codes, Problem } from "../exit.js"
import * as Names from "./names.js"

/** An input or an answer, field by field. */
export type Values = Readonly<Record<string, unknown>>

/** The client that a call was found for. */
export class AnyClient extends Context.Tag("quartet/AnyClient")<AnyClient, Bindable>() {}

// The declaration lists the audience, and the client checks the input, so that any fields may be given.
const erased = ({ operation }: Described) => operation as unknown as Operation<Values, unknown, never>

/** A call, to be run with AnyClient. */
export const bind = (of: Described): Call<Values, unknown, never, AnyClient> =>
  binder<never>()(AnyClient)(erased(of))

/** A call whose declaration says that it answers a page. */
export const bindList = (of: Described) => bind(of) as Call<Values, Page<unknown>, never, AnyClient>

/** A call whose declaration says that it answers bytes. */
export const bindDownload = (of: Described): Download<Values, never, AnyClient> =>
  downloader<never>()(AnyClient)(erased(of) as Operation<Values, Bytes, never, "read">)

const problem = (message: string, next: string) => new Problem({ message, next, code: codes.usage })

/**
 * The call of a name such as `requests.list` or `end-user.requests.list`. Where several clients have it and none is named, it is
 * the admin's, else the public or the private one's.
 */
export const find = (text: string, as?: ClientName): Either.Either<Described, Problem> => {
  const { client, name } = Names.read(text)
  const all = Names.calls(name)
  if (all.length === 0) {
    const near = Names.meant(
      text,
      described.map((call) => call.name)
    )
    return Either.left(
      problem(
        `there is no call named ${JSON.stringify(text)}${near}`,
        "Search them: quartet operations <words>"
      )
    )
  }
  const wanted = [as === undefined ? [] : audiences[as], client ?? []].flat()
  const call = all.find(({ audience }) => wanted.every((wantedAudience) => wantedAudience === audience))
  if (call !== undefined) return Either.right(call)
  const clients = all.map(({ audience }) => clientOf(audience)).join(", ")
  return Either.left(
    problem(
      `${name} is no call of the ${wanted.map(clientOf).join(" and the ")} client`,
      `It is one of: ${clients}. Pass --as with one of them, or leave it out.`
    )
  )
}
