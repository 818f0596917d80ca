/** The command palette: goes to a place, finds an entity in any list, does a command. */

import { source, useQuery, useSession } from "@quartet/react"
import { pushUnsafe } from "@swan-io/chicane"
import * as Effect from "effect/Effect"
import { type KeyboardEvent, type ReactElement, useEffect, useId, useState } from "react"
import { Dialog } from "../design/dialog.js"
import { Icon } from "../design/icon.js"
import { Kbd } from "../design/show.js"
import type { Command } from "./commands.js"
import { explain, notLoaded } from "./explain.js"
import { admin } from "./query-clients.js"
import { close, offered } from "./shortcuts.js"

/** What all lists find. Which lists there are is loaded by the first search. */
const finding = source("palette.find", ({ text }: { readonly text: string }) =>
  Effect.flatMap(Effect.tryPromise({ try: () => import("./find.js"), catch: notLoaded }), ({ find }) =>
    find(text)
  )
)

const Palette = (): ReactElement => {
  const id = useId()
  const session = useSession(admin.session)
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const [search, setSearch] = useState("")
  // The lists are asked once the typing pauses.
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), 150)
    return () => clearTimeout(timer)
  }, [text])
  const isAsked = session.status === "signed-in" && search.length > 1
  const { data: matches = [], error } = useQuery(isAsked ? admin.query(finding, { text: search }) : undefined)
  const parts = text.trim().toLowerCase().split(/\s+/)
  const all: ReadonlyArray<Command & { readonly about?: string }> = [
    ...offered().filter(({ label }) => parts.every((part) => label.toLowerCase().includes(part))),
    ...matches.map(({ to, ...match }) => ({ ...match, run: () => pushUnsafe(to) }))
  ]
  const here = Math.min(at, all.length - 1)
  const run = (choice: Command | undefined): void => {
    close()
    // After the palette has returned the focus, so that what runs may take it.
    if (choice !== undefined) setTimeout(choice.run)
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: here + 1,
    ArrowUp: here - 1 + all.length,
    PageDown: Math.min(here + 5, all.length - 1),
    PageUp: Math.max(here - 5, 0)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (event.key === "Enter") run(all[here])
    else if (step !== undefined && all.length > 0) setAt(step % all.length)
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={close} title="Go, find or do">
      <input
        role="combobox"
        aria-label="Go, find or do"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={all.length === 0 ? undefined : `${id}-${here}`}
        aria-autocomplete="list"
        placeholder="Go, find or do…"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p className="faint" role="status">
        {error !== undefined && `${explain(error).title}. `}
        {all.length === 0 ? "Nothing found" : `${all.length} ${all.length === 1 ? "choice" : "choices"}`}
      </p>
      <div className="h-[min(22rem,50dvh)] overflow-y-auto" role="listbox" id={id} aria-label="Choices">
        {all.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: it is named by the field's aria-activedescendant.
          <div
            key={`${choice.label} ${index}`}
            role="option"
            className="grid min-h-11 cursor-pointer grid-cols-[1rem_auto_minmax(0,1fr)_auto] items-center gap-3 rounded-md px-3 aria-selected:bg-selected"
            id={`${id}-${index}`}
            aria-selected={index === here}
            ref={index === here ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span className="truncate">{choice.label}</span>
            <span className="truncate faint">{choice.about}</span>
            {choice.keys === undefined ? <span /> : <Kbd keys={choice.keys} />}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

export default Palette
