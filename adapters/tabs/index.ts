/**
 * One session over the tabs of a browser: one tab renews it for all, and a sign-in or a sign-out in one of them holds in all.
 */
import * as Either from "effect/Either"
import * as Options from "../../core/kernel/operation/options.js"
import { browser } from "./browser.js"
import * as Tab from "./tabs.js"

export type { TabSession, Tabs, TabsOptions } from "./tabs.js"

const known: Options.Known<Tab.TabsOptions> = { name: "string", isShared: "function" }

/**
 * The session that the tabs of this browser share under a name: in `localStorage`, which every script of the page can
 * read. One tab renews it for all, and a sign-in or a sign-out in one of them holds in all. Make it once, outside of
 * components. On a server it keeps nothing. Throws InputError if an option is wrong.
 *
 * @example
 * ```ts
 * import * as Tabs from "@quartet/sdk/adapters/tabs"
 * import { createAdminClient } from "@quartet/sdk/promise"
 *
 * const tabs = Tabs.make({ name: "desk" })
 * const client = createAdminClient({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…",
 *   sessionStore: tabs.store
 * })
 * ```
 * @category constructors
 */
export const make = (options: Tab.TabsOptions): Tab.Tabs =>
  Either.getOrThrowWith(
    Either.flatMap(Options.read("Tabs.make", "options", options, known), (read) =>
      read.name === "" || read.name === undefined
        ? Options.refuser("Tabs.make")("name", "must say what is signed in to")
        : Either.right(Tab.make(browser, read))
    ),
    (refused) => refused
  )
