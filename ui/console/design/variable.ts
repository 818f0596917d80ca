/** Numbers that only the running page knows, such as a width that somebody chose, for the classes that use them. */
import { type RefObject, useLayoutEffect } from "react"

/** Sets a custom property of an element, which its classes read. The policy allows what a script sets through the style's own object. */
export const useVariable = (
  of: RefObject<HTMLElement | null>,
  name: `--${string}`,
  value: string | number
): void =>
  // biome-ignore lint/plugin: what it looks like stands in its classes; this is the number that they read.
  useLayoutEffect(() => of.current?.style.setProperty(name, String(value)), [of, name, value])
