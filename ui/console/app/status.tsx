/** The status of any entity, in the tone for it. */
import type { ReactElement } from "react"
import { Badge, type Tone, words } from "../design/show.js"

const tones: Readonly<Record<string, Tone>> = {
  available: "good",
  active: "good",
  open: "info",
  new: "info",
  confirmed: "info",
  reviewed: "accent",
  paid: "good",
  delivered: "good",
  succeeded: "good",
  user_accepted: "good",
  pending: "warn",
  reserved: "warn",
  cancelled: "bad",
  rejected: "bad",
  user_rejected: "bad",
  failed: "bad"
}

export const Status = ({ of }: { readonly of: string | null | undefined }): ReactElement => (
  <Badge tone={tones[of ?? ""] ?? "calm"} dot>
    {words(of ?? "unknown")}
  </Badge>
)
