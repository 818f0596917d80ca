/** Things of JSON:API: `attributes` and `relationships` beside `type` and `id`, as one flat object. */
import { isRecord } from "effect/Predicate"
import { own } from "../permissions/own.js"

/** The id of a relation, or the ids of several. */
const idsOf = (relation: unknown): unknown => {
  const data = own(relation, "data")
  return Array.isArray(data) ? data.map((one) => own(one, "id")) : (own(data, "id") ?? null)
}

/** The field that holds a relation's id: that of its own name, or one that ends in `Id` or `_id` where such a one is known. */
const fieldOf = (relation: string, known: ReadonlySet<string>): string =>
  known.has(relation)
    ? relation
    : ([`${relation}Id`, `${relation}_id`, `${relation}-id`].find((name) => known.has(name)) ?? relation)

/**
 * A resource as one object: its id, its attributes, and the ids of what it relates to. `known` are the platform's names of the
 * fields that a call declares. Anything else stays.
 */
export const thingOf = (resource: unknown, known: ReadonlySet<string>): unknown => {
  if (!isRecord(resource) || !("attributes" in resource || ("type" in resource && "id" in resource)))
    return resource
  const { attributes, id, links: _links, relationships, type: _type, ...rest } = resource
  const relations = isRecord(relationships)
    ? Object.fromEntries(
        Object.entries(relationships)
          .filter(([, relation]) => own(relation, "data") !== undefined)
          .map(([name, relation]) => [fieldOf(name, known), idsOf(relation)])
      )
    : {}
  return {
    ...rest,
    ...relations,
    ...(isRecord(attributes) ? attributes : {}),
    ...(id === undefined ? {} : { id })
  }
}
