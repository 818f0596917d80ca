/** Content as the caller's own type, as Promises: `client.content.collection("news", News)`. */
import type { Builders, Criteria } from "../../core/content/collection.js"
import type { GetContent } from "../../core/content/model.js"
import type { Page, Typed } from "../../core/kernel/operation/answer.js"
import { collection } from "../public/content.js"
import type { Listed, Methods, PromiseCall } from "./methods.js"

/** The entries of one content model as the caller's own type. @category models */
export interface PromiseCollection<A> extends Builders<A> {
  /** Reads a page of the entries, each as the type of the collection; `list.pages` reads all of them. */
  readonly list: PromiseCall<Criteria<A>, Page<A>> & Listed<Criteria<A>, Page<A>>
  /** Reads one entry by its id, as the type of the collection. */
  readonly get: PromiseCall<GetContent, A>
}

/** The members of content besides its calls. */
export interface Collections {
  /**
   * The collection of the content model `apiId`, whose entries are described by `schema`. Filters and sorts take only
   * fields of the schema that hold text, a number, a boolean or a Date. Make it once and keep it. Throws InputError if
   * an argument is missing.
   */
  readonly collection: <A>(apiId: string, schema: Typed<A>) => PromiseCollection<A>
}

/** Makes the collections of one client. */
export const makeCollections = ({ call }: Methods): Collections => ({
  collection: (apiId, schema) => {
    const { get, list, orderBy, where } = collection(apiId, schema)
    return { where, orderBy, list: call(list.operation), get: call(get.operation) }
  }
})
