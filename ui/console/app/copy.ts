/** Copies a link, and says so; a browser may refuse it. */
import { addToast } from "./toasts.js"

export const copyLink = async (to: string, about?: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(new URL(to, window.location.href).href)
    addToast("Link copied", about)
  } catch {
    addToast("Not copied", "The browser did not allow it. Copy the address of the page instead.")
  }
}
