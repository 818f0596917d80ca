/** The statuses of all entities, in one tone each. */
import type { Progress } from "@quartet/fleet/http"
import type { Schemas } from "@quartet/sdk"
import * as Record from "effect/Record"
import type { ReactElement } from "react"
import { Badge, type Tone, words } from "../design/show.js"

/** The words of statuses, those of the models and of runs: any other does not compile here. */
type Word =
  | (typeof Schemas.Auth.userStatuses)[number]
  | (typeof Schemas.Conversations.conversationStatuses)[number]
  | (typeof Schemas.Items.itemStatuses)[number]
  | (typeof Schemas.Orders.orderStatuses)[number]
  | (typeof Schemas.Payments.transactionStatuses)[number]
  | (typeof Schemas.Requests.statuses)[number]
  | Progress["state"]
  | Progress["pages"][number]["state"]

const statuses: Readonly<Record<Exclude<Tone, "calm">, ReadonlyArray<Word>>> = {
  good: ["available", "active", "paid", "delivered", "succeeded", "user_accepted", "done"],
  info: ["open", "new", "confirmed", "running", "working"],
  accent: ["reviewed"],
  warn: ["pending", "reserved", "paused", "waiting", "partially_refunded"],
  bad: ["rejected", "user_rejected", "failed"]
}

/** The tone of a status of any entity. */
export const toneOf = (status: string | null | undefined): Tone =>
  Record.keys(statuses).find((tone) => statuses[tone].some((word) => word === status)) ?? "calm"

/** Statuses whose own words would not be understood, or read badly. */
const labels: Readonly<Partial<Record<Word, string>>> = {
  user_accepted: "Accepted by the customer",
  user_rejected: "Declined by the customer",
  partially_refunded: "Partly refunded"
}

/** The words of a status of any entity. */
export const statusLabel = (status: string): string =>
  Object.entries(labels).find(([word]) => word === status)?.[1] ?? words(status)

/** The status of any entity, in the tone for it; nothing where there is none. */
export const Status = ({ of }: { readonly of: string | null | undefined }): ReactElement | null =>
  of ? <Badge tone={toneOf(of)}>{statusLabel(of)}</Badge> : null
