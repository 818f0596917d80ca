/**
 * Sessions that outlive the page, so that a reload needs no password: in this tab or, where the user wants it, in this
 * browser. Then all its tabs share one: a sign-in or a sign-out in one of them holds in all. Only the tab that signed in
 * knows the password, so it alone renews the session; the others take up what it has kept.
 */
import * as Tabs from "@quartet/sdk/adapters/tabs"
import { cell, registry } from "./cells.js"
import { type Person, persons } from "./config.js"
import * as Drafts from "./drafts.js"

const make = (name: Person): Tabs.Tabs => Tabs.make({ name, isShared: () => registry.get(isShared) })

export const tabs: Readonly<Record<Person, Tabs.Tabs>> = { admin: make("admin"), endUser: make("endUser") }

/** Whether sign-ins in this tab are for all tabs of the browser. */
export const isShared = cell(persons.some((audience) => tabs[audience].isShared()))

for (const audience of persons)
  tabs[audience].subscribe((session) =>
    session === undefined ? Drafts.forget(audience) : registry.set(isShared, true)
  )
