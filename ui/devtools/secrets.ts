/** All that the clients of a registry know and nobody may show, such as a password: what hides it in the sections of the devtools. */
import type { Bindable, KnownSecrets as Known } from "@quartet/sdk/extend"
import { inspections } from "../rx/inspection.js"
import { service } from "../rx/registry.js"

export type Secrets = ReadonlyArray<string>

export type { Known }

const isClient = (service: unknown): service is Bindable => "dispatcher" in Object(service)

/** What the clients of each registry know. */
export const secretsIn = /*#__PURE__*/ service((registry): Known => {
  const { clients } = registry.get(inspections)
  let lists: ReadonlyArray<Secrets> = []
  let all: Secrets = []
  return () => {
    const present = [...clients]
      .flatMap(({ services }) => [...services])
      .filter(isClient)
      .map(({ dispatcher: { settings } }) => settings.credentialsProvider.secrets())
    if (present.length !== lists.length || present.some((list, at) => list !== lists[at])) {
      lists = present
      all = present.flat()
    }
    return all
  }
})
