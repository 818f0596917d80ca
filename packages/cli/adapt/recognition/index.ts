/** Recognises a platform by what it was asked and what it answered: the lines of its definition, by pure functions alone. */
import { credentials, type Secrets } from "./credentials.js"
import { dates } from "./dates.js"
import { entities } from "./entities.js"
import { errors } from "./errors.js"
import type { Exchange } from "./exchange.js"
import { join, type Recognised } from "./line.js"
import { lists } from "./lists.js"
import { paging } from "./paging.js"
import { session } from "./session.js"
import { token } from "./token.js"

export type { Secrets } from "./credentials.js"
export type { Exchange, Purpose } from "./exchange.js"
export type { Line, Recognised, Value } from "./line.js"

/** What no read shows. */
const never: ReadonlyArray<string> = [
  "entities.fields: fields that the platform calls by other words than the SDK, which only somebody who knows both can tell",
  "routes: calls whose method or path differs, which `routes` corrects one by one",
  "chat and downloads, of which no call was made"
]

/** Says how a platform differs, by exchanges. */
export const recognise = (exchanges: ReadonlyArray<Exchange>, secrets: Secrets = {}): Recognised => {
  const found = join([
    session(exchanges),
    token(exchanges),
    credentials(exchanges, secrets),
    lists(exchanges),
    paging(exchanges),
    entities(exchanges),
    errors(exchanges),
    dates(exchanges)
  ])
  return { ...found, unseen: [...found.unseen, ...never] }
}
