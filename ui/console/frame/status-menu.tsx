/** The status of a thing: the next ones as buttons, and all of them in a menu, each with its letter. */
import { type ReactElement, useState } from "react"
import { useCommands } from "../app/commands.js"
import { Button } from "../design/button.js"
import { LetterMenu } from "../design/letter-menu.js"
import { type Tone, toneClass } from "../design/show.js"

export interface StatusChoice {
  readonly value: string
  /** What it is called, such as "Confirmed". */
  readonly label: string
  /** What sets it, such as "Confirm". */
  readonly verb: string
  /** The key that sets it while the menu is open. */
  readonly letter: string
  /** The key that sets it at any time. */
  readonly keys?: string
  readonly tone: Tone
}

export const StatusBar = (props: {
  readonly status: string | null | undefined
  readonly choices: ReadonlyArray<StatusChoice>
  /** Those that have a button of their own. */
  readonly next: ReadonlyArray<string>
  readonly busy: boolean
  /** Sets a status, and goes to the next row. */
  readonly onSet: (status: string, isNext: boolean) => void
}): ReactElement => {
  const { busy, choices, onSet, status } = props
  const [open, setOpen] = useState<"set" | "next">()
  useCommands([
    { label: "Set status…", icon: "check", keys: "s", run: () => setOpen("set") },
    { label: "Set status and go to the next…", icon: "next", keys: "n", run: () => setOpen("next") }
  ])
  const present = choices.find(({ value }) => value === status)
  const { tone = "calm" } = present ?? {}
  return (
    <fieldset className="status-bar" aria-label="Status">
      <span className={`status-now ${toneClass[tone]}`}>{present?.label ?? status ?? "No status"}</span>
      {choices
        .filter(({ value }) => value !== status && props.next.includes(value))
        .map(({ keys, value, verb }) => (
          <Button key={value} kind="ghost" keys={keys} busy={busy} onClick={() => onSet(value, false)}>
            {verb}
          </Button>
        ))}
      <LetterMenu
        label="More"
        keys="s"
        title={open === "next" ? "Set status and go to the next" : "Set status"}
        isOpen={open !== undefined}
        onOpenChange={(isOpen) => setOpen(isOpen ? "set" : undefined)}
        items={choices.map(({ label, letter, value }) => ({
          label,
          letter,
          isChosen: value === status,
          onAction: () => value !== status && onSet(value, open === "next")
        }))}
      />
    </fieldset>
  )
}
