/** What a control does, said beside it while the pointer rests on it or it has the focus. */
import type { ComponentProps, ReactElement } from "react"
import { Focusable, Tooltip as Tip, TooltipTrigger } from "react-aria-components"
import { Kbd } from "./show.js"

export const Tooltip = (props: {
  readonly text: string
  /** The keys that do the same. */
  readonly keys?: string | undefined
  readonly placement?: "top" | "right"
  /** Whether it is needed on narrow screens alone, where words give way to icons. */
  readonly isForIcons?: boolean
  /** One element that can have the focus. */
  readonly children: ComponentProps<typeof Focusable>["children"]
}): ReactElement => (
  <TooltipTrigger delay={500} closeDelay={100}>
    <Focusable>{props.children}</Focusable>
    <Tip
      offset={6}
      placement={props.placement ?? "top"}
      className={`${props.isForIcons ? "xl:hidden" : ""} z-50 flex max-w-72 animate-enter items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-bg shadow-md`}
    >
      {props.text}
      {props.keys !== undefined && <Kbd keys={props.keys} />}
    </Tip>
  </TooltipTrigger>
)
