/** The program under test: a visitor's wishes, each a box of the platform. It takes its client, so that a test can give it one. */
import { Errors, type PublicClient } from "@quartet/sdk/promise"

type Visitor = Pick<PublicClient, "boxes" | "items">

/** Wishes for an item, unless it is gone. */
export const wish = async (visitor: Visitor, itemId: string): Promise<"wished" | "gone"> => {
  try {
    const { name } = await visitor.items.get({ id: itemId })
    await visitor.boxes.create({ payload: { type: "M2_WEB_PROPERTY_WISHLIST", data: { itemId, name } } })
    return "wished"
  } catch (error) {
    if (error instanceof Errors.NotFound) return "gone"
    throw error
  }
}

/** What a visitor is told of a wish that could not be kept. */
export const apology = (error: unknown): string => {
  if (Errors.isCallError(error) && Errors.doneOf(error) === "perhaps")
    return "It may have been saved. Look at your wishes before you try again."
  if (error instanceof Errors.RateLimited)
    return `Too many at once. Try again in ${Math.ceil((error.retryAfter ?? 1000) / 1000)} s.`
  return "It was not saved."
}
