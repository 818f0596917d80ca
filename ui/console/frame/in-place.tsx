/** A form in the detail: it begins in its first field, is saved and left by keys, and leaves the focus at the title of what comes after it. */
import { type ReactElement, type ReactNode, useEffect, useRef } from "react"
import { useCommands } from "../app/commands.js"
import { Button } from "../design/button.js"
import { Kbd } from "../design/show.js"

export const InPlace = (props: {
  readonly onCancel: () => void
  readonly children: ReactNode
}): ReactElement => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.querySelector("input")?.focus()
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>("[data-detail-title]")?.focus()
      })
    }
  }, [])
  useCommands([
    {
      label: "Save",
      icon: "check",
      keys: "mod s",
      run: () => place.current?.querySelector("form")?.requestSubmit()
    },
    { label: "Cancel", icon: "close", keys: "Escape", run: props.onCancel }
  ])
  return <div ref={place}>{props.children}</div>
}

/** The buttons at its end. */
export const InPlaceButtons = (props: {
  /** What the first one does, such as "Save". */
  readonly action: string
  readonly busy: boolean
  readonly onCancel: () => void
}): ReactElement => (
  <div className="form-foot" data-bottom-bar="">
    <Button kind="primary" type="submit" busy={props.busy}>
      {props.action}
    </Button>
    <Button onClick={props.onCancel}>Cancel</Button>
    <span className="faint pointer-coarse:hidden">
      <Kbd keys="mod s" /> to save
    </span>
  </div>
)
