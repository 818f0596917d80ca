/** What the served sandbox prints, in columns, coloured on a terminal. */
import type { accounts, Received } from "@quartet/sandbox"
import { columns } from "../output.js"
import type { Paint } from "../text.js"

/** The output once the sandbox serves. */
export const welcome = (
  url: string,
  {
    chat,
    dialect,
    known,
    seed
  }: {
    readonly seed: number
    readonly dialect: string
    /** The address of the chat. */
    readonly chat: string
    readonly known: typeof accounts
  },
  paint: Paint
): string => {
  const account = ({ email, password }: { readonly email: string; readonly password: string }): string =>
    `${email.padEnd(20)}  ${password}`
  return [
    `${paint.bold("Quartet sandbox")} on ${paint.cyan(url)}`,
    "",
    columns(
      [
        ["project id", known.projectId],
        ["API key", known.apiKey],
        ["private key", known.privateKey],
        ["admin", account(known.admin)],
        ["admin, read only", account(known.viewer)],
        ["end user", account(known.endUsers.ana)],
        ["end user", account(known.endUsers.beka)],
        ["chat", chat],
        ["seed", String(seed)],
        ...(dialect === "standard" ? [] : [["dialect", dialect] as const])
      ],
      paint
    ),
    "",
    paint.dim("Everything is in memory and forgotten at the end. Ctrl+C stops it."),
    ""
  ].join("\n")
}

const two = (value: number): string => String(value).padStart(2, "0")

/** One line for one request. */
export const line = (received: Received, paint: Paint): string => {
  const { at, audience = "-", duration, method, operation = "-", path, status } = received
  const colour = status >= 500 ? paint.red : status >= 400 ? paint.yellow : paint.green
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return [
    paint.dim(time),
    colour(String(status)),
    method.padEnd(6),
    path.padEnd(44),
    operation.padEnd(26),
    paint.dim(audience.padEnd(7)),
    paint.dim(`${duration} ms${received.replayed ? ", kept answer" : ""}`)
  ].join("  ")
}
