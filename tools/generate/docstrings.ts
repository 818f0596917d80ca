/** Writes the docstrings of the clients' calls, as comments. */
import { described } from "../../clients/description/described.js"
import { docstringOf } from "../../clients/description/docstrings.js"
import type { Style } from "../../clients/description/samples.js"
import type { Audience } from "../../core/kernel/operation/operation.js"
import { inputOf } from "../pages/inputs.js"
import { wrapped } from "./written.js"

const calls = new Map(described.map((call) => [call.key, call]))

/** The docstring of a call: a comment, of which each line is indented. */
export const docstring = (
  style: Style,
  audience: Audience,
  name: string,
  {
    indent = "",
    link,
    tags = []
  }: {
    readonly indent?: string
    readonly link: (model: string) => string
    /** Further tags, at its end. */
    readonly tags?: ReadonlyArray<string>
  }
): string => {
  const call = calls.get(`${audience}.${name}`)
  if (call === undefined) throw new Error(`core/catalogue.ts has no ${audience}.${name}`)
  const lines = [...docstringOf({ style, call, input: inputOf(call), link }), ...tags]
  return [`${indent}/**`, ...wrapped(lines, `${indent} *`), `${indent} */`].join("\n")
}
