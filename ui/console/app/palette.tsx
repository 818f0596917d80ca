/** The command palette: goes to a place, finds an entity in any list, does a command. */
import { pushUnsafe } from "@swan-io/chicane"
import { type KeyboardEvent, type ReactElement, useEffect, useId, useState } from "react"
import { type Query, useQuery, useSession } from "../../rx/index.js"
import { Dialog } from "../design/dialog.js"
import { Icon, type IconName } from "../design/icon.js"
import { money, words } from "../design/show.js"
import typography from "../design/typography.module.css"
import { change } from "./cells.js"
import styles from "./palette.module.css"
import { admin } from "./query-clients.js"
import { Router } from "./routes.js"
import { items, orders, payments, requests, users } from "./rows.js"
import { type Command, isPaletteOpen, Keys, offered } from "./shortcuts.js"

interface Choice extends Command {
  readonly about?: string
}

/** Entities that were found in one list. */
interface Found<A> {
  readonly items: ReadonlyArray<A>
}

const few = { limit: 4 } as const

/** Asks one list, and makes choices of its rows; none while it loads, and where the role may not read it. */
const useFound = <A,>(
  search: string,
  query: (search: string) => Query<Found<A>, unknown>,
  icon: IconName,
  choice: (row: A) => { readonly label: string; readonly about: string; readonly to: string }
): ReadonlyArray<Choice> => {
  const { data } = useQuery(search.length < 2 ? undefined : query(search))
  return (data?.items ?? []).map((row) => {
    const { about, label, to } = choice(row)
    return { label, about, icon, run: () => pushUnsafe(to) }
  })
}

/** What every list finds. */
const useEverything = (search: string): ReadonlyArray<Choice> => [
  ...useFound(
    search,
    (text) => admin.query(requests.list, { search: text, ...few }),
    "requests",
    ({ _id, status, title, type }) => ({
      label: title || words(type ?? "Request"),
      about: `Request, ${words(status ?? "unknown").toLowerCase()}`,
      to: Router.Request({ id: _id })
    })
  ),
  ...useFound(
    search,
    (text) => admin.query(users.list, { search: text, ...few }),
    "user",
    ({ _id, email, fullName }) => ({
      label: fullName ?? email ?? "Unnamed",
      about: `End user, ${email ?? "no address"}`,
      to: Router.Data({ slice: "users", id: _id })
    })
  ),
  ...useFound(
    search,
    (text) => admin.query(orders.list, { search: text, ...few }),
    "commerce",
    ({ _id, currency, number, total }) => ({
      label: number ?? "Order",
      about: `Order, ${money(total ?? 0, currency ?? "USD")}`,
      to: Router.Data({ slice: "orders", id: _id })
    })
  ),
  ...useFound(
    search,
    (text) => admin.query(payments.list, { search: text, ...few }),
    "commerce",
    ({ _id, amount, currency, status }) => ({
      label: `Payment of ${money(amount ?? 0, currency ?? "USD")}`,
      about: `Payment, ${status ?? "unknown"}`,
      to: Router.Payment({ id: _id })
    })
  ),
  ...useFound(
    search,
    (text) => admin.query(items.list, { search: text, ...few }),
    "commerce",
    ({ _id, name, status }) => ({
      label: name ?? "Item",
      about: `Item, ${status ?? "unknown"}`,
      to: Router.Data({ slice: "items", id: _id })
    })
  )
]

const close = (): void => change(isPaletteOpen, () => false)

const Choices = (): ReactElement => {
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
  const parts = text.trim().toLowerCase().split(/\s+/)
  const matching = offered().filter(({ label }) => parts.every((part) => label.toLowerCase().includes(part)))
  const found = useEverything(session.status === "signed-in" ? search : "")
  const isNamed = ({ label }: Choice): boolean => label.toLowerCase().includes(search.toLowerCase())
  // What is named like the text goes before what holds it elsewhere.
  const all: ReadonlyArray<Choice> = [
    ...matching,
    ...found.filter(isNamed),
    ...found.filter((one) => !isNamed(one))
  ]
  const here = Math.min(at, all.length - 1)
  const run = (choice: Choice | undefined): void => {
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
    <>
      <input
        className={styles.input}
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
      <div className={styles.choices} role="listbox" id={id} aria-label="Choices">
        {all.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: it is named by the field's aria-activedescendant.
          <div
            key={`${choice.label} ${index}`}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === here}
            ref={index === here ? (element) => element?.scrollIntoView({ block: "nearest" }) : undefined}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span className={typography.truncate}>{choice.label}</span>
            <span className={`${typography.faint} ${typography.truncate}`}>{choice.about}</span>
            <Keys of={choice} />
          </div>
        ))}
      </div>
      <p className={typography.faint} role="status">
        {all.length === 0 ? "Nothing found" : `${all.length} choices`}
      </p>
    </>
  )
}

export const Palette = (): ReactElement => (
  <Dialog open onClose={close} title="Go, find or do">
    <Choices />
  </Dialog>
)
