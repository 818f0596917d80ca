/** The status of any entity, in the tone for it. */
import * as Record from "effect/Record"
import type { ReactElement } from "react"
import { Badge, type Tone, words } from "../design/show.js"

const statuses: Readonly<Record<Exclude<Tone, "calm">, ReadonlyArray<string>>> = {
  good: ["available", "active", "paid", "delivered", "succeeded", "user_accepted", "done"],
  info: ["open", "new", "confirmed", "running", "working"],
  accent: ["reviewed"],
  warn: ["pending", "reserved", "paused", "waiting", "partially_refunded"],
  bad: ["cancelled", "rejected", "user_rejected", "failed"]
}

export const Status = ({ of }: { readonly of: string | null | undefined }): ReactElement => (
  <Badge tone={Record.keys(statuses).find((tone) => statuses[tone].includes(of ?? "")) ?? "calm"} dot>
    {words(of ?? "unknown")}
  </Badge>
)
