/** The output of the command line, in columns, coloured on a terminal. */
import type { accounts } from "../accounts.js"
import type { Received } from "../platform/control.js"

/** Colours text, or returns it unchanged. */
export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const code =
  (isOn: boolean) =>
  (open: number, close: number) =>
  (text: string): string =>
    isOn ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const paint = (isOn: boolean): Paint => {
  const by = code(isOn)
  return {
    bold: by(1, 22),
    dim: by(2, 22),
    red: by(31, 39),
    green: by(32, 39),
    yellow: by(33, 39),
    cyan: by(36, 39)
  }
}

/** Lines of names and values. */
const columns = (rows: ReadonlyArray<readonly [name: string, value: string]>, paint: Paint): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${paint.dim(name.padEnd(width))}  ${value}`).join("\n")
}

/** The output once the sandbox serves. */
export const welcome = (
  url: string,
  { seed, known }: { readonly seed: number; readonly known: typeof accounts },
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
        ["chat", `${url}/api_private/v1/chat`],
        ["seed", String(seed)]
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
