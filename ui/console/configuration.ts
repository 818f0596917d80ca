/** What a server tells the console's page of the platform, before anybody signs in. It stands in the page as a `meta` element. */
import type { Reading } from "@quartet/sdk/extend"
import type { Tenants } from "@quartet/sdk/extend/models/tenants"

/** Someone whom the page offers for signing in with one click. */
export interface Account {
  readonly name: string
  readonly about: string
  readonly email: string
  readonly password: string
}

/** All of it may be left out: a person fills in the rest under Settings. */
export interface Configuration {
  /** Where the page reaches the platform: an address, or a path of the page's own server, which is the standard. */
  readonly baseUrl?: string
  /** The path of the module that says how the platform differs, where there is one. */
  readonly platformModule?: string
  /** What the platform is called on the page. */
  readonly platform?: string
  readonly projectId?: string
  /** What the project is called before somebody has signed in here. */
  readonly projectName?: string
  readonly apiKey?: string
  readonly privateKey?: string
  /** How the permissions of a role are read. */
  readonly permissions?: Reading
  /** Kinds of entities that the project has. */
  readonly kinds?: ReadonlyArray<string>
  readonly tenants?: Tenants
  /** Whether the platform takes what the models assume, and needs it, as the sandbox does: forms ask for it then. */
  readonly isAsAssumed?: boolean
  /** Of a sandbox alone: anybody may be anybody. */
  readonly accounts?: { readonly admin: ReadonlyArray<Account>; readonly endUser: ReadonlyArray<Account> }
}

/** The name of the element. */
export const name = "quartet-configuration"

/** The header by which a page tells its own server the host of a project, where the platform has one for each: the page calls no other server. */
export const hostHeader = "x-quartet-host"
