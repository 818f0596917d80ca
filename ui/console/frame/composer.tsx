/** Where one writes an answer: it grows with its text, keeps a draft, and says by which key it is sent. */
import { type KeyboardEvent, type ReactElement, useRef, useState } from "react"
import { useCommands } from "../app/commands.js"
import { isOutcomeUnknown } from "../app/explain.js"
import { Form, useText } from "../data/form.js"
import { Button } from "../design/button.js"
import { keyName } from "../design/keys.js"

/** On a screen without keys, Enter breaks the line, and the button sends. */
const isTouch = window.matchMedia("(pointer: coarse)")

const held = keyName("mod")

/** What became of a text whose sending failed: it stands in the field still. */
const failureOf = (error: unknown): string =>
  isOutcomeUnknown(error)
    ? "This may not have been sent. Check above first."
    : "Not sent. Your text has been kept."

type Sent = Parameters<typeof useText>[1]

export const Composer = (props: {
  readonly label: string
  readonly placeholder: string
  /** What sending it does. */
  readonly doing?: string
  /** The name of its draft. */
  readonly draft: string
  /** The key that sends: Enter alone, as in a chat, or Enter with Ctrl or ⌘, where a text has paragraphs. */
  readonly sendBy: "Enter" | "mod Enter"
  readonly send: Sent
  /** What the button says. */
  readonly action: string
  /** The letter that leads here. */
  readonly letter?: string
  /** Whether Enter on the row leads here. */
  readonly isStart?: boolean
  /** Sends, and goes on to the next: its name, and what goes there. Shift with the key that sends does the same. */
  readonly sendNext?: { readonly label: string; readonly run: () => void } | undefined
}): ReactElement => {
  const field = useRef<HTMLTextAreaElement>(null)
  const goesOn = useRef(false)
  const [failure, setFailure] = useState("")
  const form = useText(props.draft, async (text) => {
    const isNext = goesOn.current
    goesOn.current = false
    setFailure("")
    const ended = await props.send(text)
    if (ended?.status === "error") setFailure(failureOf(ended.error))
    // Whoever went elsewhere meanwhile stays there.
    if (field.current === null) return ended
    if (isNext && ended?.status === "success") props.sendNext?.run()
    // The button that sent is off now; one goes on writing.
    else if (field.current.form?.contains(document.activeElement)) field.current.focus()
    return ended
  })
  useCommands(
    props.letter === undefined
      ? []
      : [{ label: props.label, icon: "send", keys: props.letter, run: () => field.current?.focus() }]
  )
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.altKey) return
    const isHeld = event.ctrlKey || event.metaKey
    if (props.sendBy === "Enter" ? event.shiftKey || (isTouch.matches && !isHeld) : !isHeld) return
    event.preventDefault()
    goesOn.current = isHeld && event.shiftKey
    event.currentTarget.form?.requestSubmit()
  }
  const { name, onChange, value } = form.field("text")
  return (
    <Form of={form} doing={props.doing} className="composer">
      <textarea
        ref={field}
        name={name}
        rows={1}
        aria-label={props.label}
        data-detail-start={props.isStart || undefined}
        placeholder={props.placeholder}
        value={value}
        onChange={(event) => {
          setFailure("")
          onChange(event.target.value)
        }}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-xs text-bad empty:hidden" role="alert">
          {failure}
        </span>
        {failure === "" && (
          <span className="faint max-md:hidden pointer-coarse:hidden">
            {props.sendBy === "Enter" ? "Enter to send, Shift+Enter for a new line" : `${held}+Enter to send`}
          </span>
        )}
        <span className="flex-1" />
        {props.sendNext && (
          <Button
            type="submit"
            busy={form.busy}
            disabled={value.trim() === ""}
            onClick={() => {
              goesOn.current = true
            }}
          >
            {props.sendNext.label}
          </Button>
        )}
        <Button kind="primary" type="submit" busy={form.busy} disabled={value.trim() === ""}>
          {props.action}
        </Button>
      </div>
    </Form>
  )
}
