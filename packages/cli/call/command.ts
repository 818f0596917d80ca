/** `quartet call`: makes one call. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { clientNames, connection } from "../connection.js"
import { argument, choice, file, isJson, isRaw, optionalNumber, output, yes } from "../options.js"
import { type Example, lazily, type Main, program } from "../program.js"

export const command = <Name extends string>(name: Name) =>
  Command.make(
    name,
    {
      operation: Args.text({ name: "operation" }).pipe(
        Args.withDescription("Its name, such as requests.list or end-user.requests.list"),
        Args.mapEffect(argument)
      ),
      input: Options.text("input").pipe(
        Options.withPseudoName("json"),
        Options.withDescription(
          "Its input as a JSON object; - reads it from stdin. A field for a file is its path"
        ),
        Options.optional
      ),
      inputFile: Options.optional(file("input-file", "Reads the input from this file")),
      isRaw,
      as: Options.optional(
        choice(
          "as",
          clientNames,
          "Which client makes the call, where several have it; the first of these by default"
        )
      ),
      isAll: Options.boolean("all").pipe(
        Options.withDescription(
          "Reads all pages of a list, and prints each item on a line of its own (NDJSON)"
        )
      ),
      pageSize: optionalNumber("page-size", "Items of a page, with --all", 1_000_000, 1),
      output: output("Writes a download to this file instead of stdout"),
      isAgreed: yes,
      deadline: optionalNumber("deadline", "Milliseconds until the whole call is given up", 2_147_483_647, 1),
      idempotencyKey: Options.text("idempotency-key").pipe(
        Options.withDescription(
          "Lets the platform perform a write once, even if it is repeated with this key"
        ),
        Options.optional
      ),
      isJson,
      ...connection
    },
    (options) =>
      lazily(
        () => import("./run.js"),
        ({ call }) => call(options)
      )
  )

const examples: ReadonlyArray<Example> = [
  ["quartet call requests.list --sandbox", "tries a call without an account"],
  [`quartet call requests.get --input '{"id": "65f0c1"}'`, "reads one request, as an admin"],
  [`quartet call requests.list --all --input '{"statusIn": ["pending"]}'`, "reads all pages, an item a line"],
  [
    `echo '{"payload": {"type": "HELP"}}' | quartet call end-user.requests.create --input -`,
    "takes the input from stdin"
  ],
  ["quartet call ordersV2.csv --output orders.csv", "downloads to a file"],
  [`quartet call private.files.upload --input '{"file": "./photo.png"}'`, "uploads a file"],
  [
    `quartet call end-user.requests.create --raw --input '{"payload": {"type": "HELP", "types": 2}}'`,
    "sends a body with a field that the SDK does not know, or takes for a slip"
  ],
  [`quartet call payments.refund --input '{"id": "65f0c1"}' --yes`, "does not ask first"]
]

export const main: Main = program("call", command, examples)
