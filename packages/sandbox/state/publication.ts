/** Whether an entry is shown to visitors: its `status`, unless its model has a field of that name. */
import type { Entry, Model } from "./entities.js"

/** The states of an entry. */
export const publications = ["draft", "published"] as const

/** Whether `status` means what the model's entries say by it. */
export const hasOwnStatus = ({ fields }: Model): boolean => fields.some(({ apiId }) => apiId === "status")

/** Whether visitors see an entry. */
export const isShown = (entry: Entry, model: Model | undefined): boolean =>
  entry.status !== "draft" || (model !== undefined && hasOwnStatus(model))
