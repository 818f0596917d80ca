/** Where one writes an answer: it grows with its text, keeps a draft, and says by which key it is sent. */
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef } from "react"
import { useCommands } from "../app/commands.js"
import { Form, useText } from "../data/form.js"
import { Button } from "../design/button.js"

type Sent = Parameters<typeof useText>[1]

export const Composer = (props: {
  readonly label: string
  readonly placeholder: string
  /** The name of its draft. */
  readonly draft: string
  /** The key that sends: Enter alone, as in a chat, or Enter with Ctrl or ⌘, where a text has paragraphs. */
  readonly sendBy: "Enter" | "mod Enter"
  readonly send: Sent
  /** What the button says. */
  readonly action: string
  /** The letter that leads here. */
  readonly letter?: string
  /** What stands beside the button. */
  readonly children?: ReactNode
}): ReactElement => {
  const field = useRef<HTMLTextAreaElement>(null)
  const form = useText(props.draft, props.send)
  useCommands(
    props.letter === undefined
      ? []
      : [{ label: props.label, icon: "send", keys: props.letter, run: () => field.current?.focus() }]
  )
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.shiftKey || event.altKey) return
    const isHeld = event.ctrlKey || event.metaKey
    if (props.sendBy === "mod Enter" && !isHeld) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const { name, onChange, value } = form.field("text")
  return (
    <Form of={form} className="composer">
      <textarea
        ref={field}
        name={name}
        rows={1}
        aria-label={props.label}
        placeholder={props.placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <span className="faint max-md:hidden">
          {props.sendBy === "Enter" ? "Enter sends, Shift+Enter breaks the line" : "Ctrl+Enter sends"}
        </span>
        <span className="flex-1" />
        {props.children}
        <Button kind="primary" type="submit" busy={form.busy} disabled={value.trim() === ""}>
          {props.action}
        </Button>
      </div>
    </Form>
  )
}
