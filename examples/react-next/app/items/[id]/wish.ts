"use server"
import { Errors } from "@quartet/sdk/promise"
import { visitor } from "../../../lib/quartet"

/** Keeps a wish: a server action, which a browser can call with anything. The client checks what it is given. */
export const wish = async (_before: string | undefined, form: FormData): Promise<string> => {
  const itemId = String(form.get("id"))
  try {
    await visitor.items.get({ id: itemId })
    await visitor.boxes.create({ payload: { type: "M2_WEB_PROPERTY_WISHLIST", data: { itemId } } })
    return "It is on your list."
  } catch (error) {
    if (error instanceof Errors.NotFound || error instanceof Errors.InputError) return "This home is gone."
    if (Errors.isCallError(error) && Errors.doneOf(error) === "perhaps")
      return "It may be on your list. Look there before you try again."
    throw error
  }
}
