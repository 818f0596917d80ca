/** What is done with one file, or with those that are ticked. */
import { useMutation } from "@quartet/react"
import { copyLink } from "../../app/copy.js"
import { Router } from "../../app/routes.js"
import type { FileRow } from "../../app/rows.js"
import { addToast, warn } from "../../app/toasts.js"
import { ask } from "../../design/dialog.js"
import { nameOf } from "../../files/data.js"
import { remove, save } from "./data.js"

/** The file's own address where everybody reaches it, else that of its page here. */
const addressOf = ({ _id: id, isPrivate, url }: FileRow): string =>
  isPrivate !== true && url && /^https?:\/\//i.test(url) ? url : Router.File({ id })

export const useFileActions = () => {
  const saving = useMutation(save)
  const removal = useMutation(remove)
  return {
    busy: saving.status === "pending",
    download: async (files: ReadonlyArray<FileRow>): Promise<void> => {
      for (const file of files) {
        const outcome = await saving.mutate(file)
        if (outcome.status === "error") return void warn(outcome.error)
      }
    },
    copy: (file: FileRow): void => {
      const address = addressOf(file)
      const isHere = address.startsWith("/")
      void copyLink(address, isHere ? "It opens this page and needs a sign-in." : undefined)
    },
    /** Asks, then deletes; answers which are gone. */
    remove: async (files: ReadonlyArray<FileRow>, uses: string): Promise<ReadonlyArray<FileRow>> => {
      const [file] = files
      if (file === undefined) return []
      const what = files.length === 1 ? `“${nameOf(file)}”` : `${files.length} files`
      const isAgreed = await ask({
        title: `Delete ${what}?`,
        description: `${uses === "" ? "" : `Used by ${uses}. `}This cannot be undone.`,
        action: files.length === 1 ? "Delete file" : `Delete ${what}`,
        danger: true
      })
      if (!isAgreed) return []
      const gone: Array<FileRow> = []
      for (const each of files) {
        const outcome = await removal.mutate({ id: each._id })
        if (outcome.status === "error" && outcome.error._tag !== "NotFound") {
          warn(outcome.error, { what: `Delete “${nameOf(each)}”`, to: Router.File({ id: each._id }) })
          break
        }
        gone.push(each)
      }
      if (gone.length > 0)
        addToast(gone.length === 1 ? `${nameOf(gone[0] ?? file)} deleted` : `${gone.length} files deleted`)
      return gone
    }
  }
}
