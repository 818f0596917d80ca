/**
 * Files on their way to the platform: two at a time, each with its progress and a way to stop it. They go on while their sender looks
 * at other places. Administrators have no call that uploads, so they are sent as a visitor sends them, with the project's public key.
 */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { pushUnsafe } from "@swan-io/chicane"
import { useEffect } from "react"
import { cell, registry } from "../app/cells.js"
import { apiKey } from "../app/config.js"
import { explain } from "../app/explain.js"
import { admin, visitor } from "../app/query-clients.js"
import { Router } from "../app/routes.js"
import { type FileRow, uploadedFile } from "../app/rows.js"
import { addToast, warnThat } from "../app/toasts.js"

const upload = visitor.upload(uploadedFile, { invalidates: [] })

type State =
  | { readonly state: "waiting" }
  | { readonly state: "sending"; readonly progress: number | undefined }
  | { readonly state: "done"; readonly stored: FileRow }
  | { readonly state: "failed"; readonly title: string; readonly advice: string }

/** A file that is, was or will be sent. */
export interface Sending {
  readonly id: number
  readonly file: File
  readonly at: State
  readonly cancel: () => void
  /** Called with the stored file. */
  readonly onStored: ((file: FileRow) => void) | undefined
}

/** Those of this page, the first one first. */
export const uploads = cell<ReadonlyArray<Sending>>([])

/** At most so many are sent at once. */
const atOnce = 2

/** Milliseconds that one is seen when it is done. */
const seenFor = 5_000

let next = 0

const all = (): ReadonlyArray<Sending> => registry.get(uploads)

const put = (id: number, at: State): void =>
  registry.set(
    uploads,
    all().map((sending) => (sending.id === id ? { ...sending, at } : sending))
  )

const count = (state: State["state"]): number => all().filter(({ at }) => at.state === state).length

/** Takes one out of the list: what is on its way is given up. */
export const dismiss = (id: number): void => {
  all()
    .find((sending) => sending.id === id)
    ?.cancel()
  registry.set(
    uploads,
    all().filter((sending) => sending.id !== id)
  )
  begin()
}

/** Sends the next ones that wait. */
const begin = (): void => {
  const waiting = all().filter(({ at }) => at.state === "waiting")
  for (const sending of waiting.slice(0, Math.max(0, atOnce - count("sending")))) void send(sending)
}

const send = async ({ file, id, onStored }: Sending): Promise<void> => {
  const run = upload.instance()
  const { cancel, start } = run.actions(registry)
  registry.set(
    uploads,
    all().map((sending) =>
      sending.id === id ? { ...sending, at: { state: "sending", progress: undefined }, cancel } : sending
    )
  )
  // Observed, it goes on whatever the page shows; only what was read once tells its changes.
  const stop = registry.subscribe(
    run,
    (state) => {
      if (state.status === "uploading") put(id, { state: "sending", progress: state.progress })
    },
    { immediate: true }
  )
  const outcome = await start({ file, form: {} })
  stop()
  // What was stopped may have been kept all the same.
  admin.invalidate(registry, "files")
  if (outcome.status === "success") {
    put(id, { state: "done", stored: outcome.data })
    onStored?.(outcome.data)
    setTimeout(() => dismiss(id), seenFor)
  } else if (outcome.status === "error") put(id, { state: "failed", ...explain(outcome.error) })
  else if (outcome.status === "defect")
    put(id, { state: "failed", title: "This file could not be read", advice: "Choose it again." })
  report(outcome.status === "success" ? outcome.data : undefined)
  begin()
}

/** How many of those that began together are stored. */
let stored = 0

/** How many views show what became of each. */
let shown = 0

/** Says of the present view that it shows what became of each. */
export const useShown = (): void =>
  useEffect(() => {
    shown += 1
    return () => {
      shown -= 1
    }
  }, [])

const filesOf = (number: number): string => `${number} ${number === 1 ? "file" : "files"}`

/** Says once how all of them ended, not each by itself. */
const report = (file: FileRow | undefined): void => {
  if (file !== undefined) stored += 1
  if (count("waiting") + count("sending") > 0) return
  const failed = count("failed")
  if (stored > 0) addToast(`${stored === 1 && file?.name ? file.name : filesOf(stored)} uploaded`)
  if (failed > 0 && shown === 0)
    warnThat(`${filesOf(failed)} could not be uploaded`, undefined, {
      label: "Show",
      run: () => pushUnsafe(Router.Files())
    })
  stored = 0
}

/** Sends files, after those that are on their way. */
export const add = (chosen: Iterable<File>, onStored?: (file: FileRow) => void): void => {
  const added = [...chosen].map((file): Sending => {
    next += 1
    return { id: next, file, at: { state: "waiting" }, cancel: () => undefined, onStored }
  })
  registry.set(uploads, [...all(), ...added])
  begin()
}

/** Sends one that failed once more. */
export const again = (id: number): void => {
  put(id, { state: "waiting" })
  begin()
}

/** Why nothing can be uploaded: nothing where it can. */
export const useUploadRefusal = (): "role" | "key" | undefined => {
  const session = useSession(admin.session)
  // A visitor may upload; whoever may not change files shall not do so by that way.
  if (!session.can(Admin.files.delete)) return "role"
  return apiKey === "" ? "key" : undefined
}
