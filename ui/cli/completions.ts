/**
 * Completion scripts for shells, from what the commands declare. The library's own offer what it has besides (a wizard, levels of
 * its log), and no files where a file is wanted.
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { textOf } from "./exit.js"
import { summaries } from "./summaries.js"

/** The shells that there are scripts for. */
const shells = ["bash", "zsh", "fish"] as const

/** An option as a shell offers it. */
interface Option {
  readonly names: ReadonlyArray<string>
  readonly summary: string
  /** What stands behind it: one of these words, a file or anything else; undefined where nothing does. */
  readonly value: ReadonlyArray<string> | "file" | "other" | undefined
}

const takenBy = (text: string): Option["value"] => {
  if (text === "") return undefined
  if (text.includes(" | ")) return text.split(" | ")
  return text === "file" ? "file" : "other"
}

/** What the library says of every option comes before, and after, what ours says of it. */
const own = (paragraph: string): boolean =>
  !/^(A user-defined|A true or false|This setting|One of the following)/.test(paragraph)

const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  if (HelpDoc.isSequence(doc)) return [...paragraphs(doc.left), ...paragraphs(doc.right)]
  return HelpDoc.isParagraph(doc) ? [textOf(doc)] : []
}

const optionsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<Option> => {
  if (HelpDoc.isSequence(doc)) return [...optionsOf(doc.left), ...optionsOf(doc.right)]
  if (!HelpDoc.isDescriptionList(doc)) return []
  return doc.definitions.flatMap(([head, description]) => {
    // `-o, --output file`
    const [, names, value = ""] = /^\(?((?:-\S+, )*-[^\s)]+)\s*(.*?)\)?$/.exec(textOf(HelpDoc.p(head))) ?? []
    if (names === undefined) return []
    const summary = paragraphs(description).find(own) ?? ""
    return [{ names: names.split(", "), summary, value: takenBy(value) }]
  })
}

const help: Option = { names: ["-h", "--help"], summary: "What it takes, with examples", value: undefined }

/** The options before a command. */
const before: ReadonlyArray<Option> = [
  help,
  { names: ["-v", "--version"], summary: "The version", value: undefined },
  { names: ["--completions"], summary: "A completion script", value: shells }
]

interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: ReadonlyArray<Option>
}

const commands = async (): Promise<ReadonlyArray<Completed>> => {
  const [call, doctor, generate, mcp, operations, record, sandbox, tour] = await Promise.all([
    import("./commands/call.js"),
    import("./commands/doctor.js"),
    import("./commands/generate.js"),
    import("./commands/mcp.js"),
    import("./commands/operations.js"),
    import("./commands/record.js"),
    import("./commands/sandbox.js"),
    import("./commands/tour.js")
  ])
  const config = CliConfig.make({ showBuiltIns: false })
  const all = {
    sandbox: Command.getHelp(sandbox.command("sandbox"), config),
    tour: Command.getHelp(tour.command("tour"), config),
    operations: Command.getHelp(operations.command("operations"), config),
    call: Command.getHelp(call.command("call"), config),
    generate: Command.getHelp(generate.command("generate"), config),
    record: Command.getHelp(record.command("record"), config),
    doctor: Command.getHelp(doctor.command("doctor"), config),
    mcp: Command.getHelp(mcp.command("mcp"), config)
  } satisfies Record<keyof typeof summaries, HelpDoc.HelpDoc>
  return Object.entries(summaries).map(([name, summary]) => ({
    name,
    summary,
    options: [...optionsOf(all[name as keyof typeof summaries]), help]
  }))
}

const namesOf = (options: ReadonlyArray<Option>): string => options.flatMap(({ names }) => names).join(" ")

/** The cases of what is offered after a command: the words of an option's value, files, else options. */
const bashCases = (name: string, options: ReadonlyArray<Option>): ReadonlyArray<string> => [
  ...options.flatMap(({ names, value }) => {
    if (value === undefined) return []
    const pattern = names.map((one) => `${name}:${one}`).join("|")
    // With nothing to offer, bash offers files.
    return [
      typeof value === "string" ? `${pattern}) return ;;` : `${pattern}) offered="${value.join(" ")}" ;;`
    ]
  })
]

const bash = (all: ReadonlyArray<Completed>): ReadonlyArray<string> => [
  "_quartet() {",
  `  local current="\${COMP_WORDS[COMP_CWORD]}" offered=""`,
  `  local command="\${COMP_WORDS[1]}"`,
  "  COMPREPLY=()",
  '  if (( COMP_CWORD == 1 )); then command=""; fi',
  `  case "$command:\${COMP_WORDS[COMP_CWORD-1]}" in`,
  ...[
    ...bashCases("--completions", before),
    ...all.flatMap(({ name, options }) => [
      ...bashCases(name, options),
      `${name}:*) offered="${namesOf(options)}" ;;`
    ]),
    `*) offered="${all.map(({ name }) => name).join(" ")} ${namesOf(before)}" ;;`
  ].map((line) => `    ${line}`),
  "  esac",
  '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
  "}",
  "complete -o default -F _quartet quartet"
]

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** What stands between brackets, or before a colon, in zsh. */
const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&")

const zshOption = ({ names, summary, value }: Option): ReadonlyArray<string> => {
  const action = typeof value === "object" ? `(${value.join(" ")})` : value === "file" ? "_files" : " "
  const behind = value === undefined ? "" : `:${typeof value === "object" ? "word" : value}:${action}`
  return names.map((name) => quoted(`*${name}[${escaped(summary)}]${behind}`))
}

const zsh = (all: ReadonlyArray<Completed>): ReadonlyArray<string> => [
  "#compdef quartet",
  "_quartet() {",
  "  local -a commands",
  "  commands=(",
  ...all.map(({ name, summary }) => `    ${quoted(`${name}:${escaped(summary)}`)}`),
  "  )",
  "  if (( CURRENT == 2 )); then",
  "    _describe -t commands command commands",
  `    compadd -- ${namesOf(before)}`,
  "    return",
  "  fi",
  "  local command=$words[2]",
  "  shift words",
  "  (( CURRENT-- ))",
  "  case $command in",
  `    --completions) compadd -- ${shells.join(" ")} ;;`,
  ...all.flatMap(({ name, options }) => [
    `    ${name})`,
    "      _arguments \\",
    ...options.flatMap(zshOption).map((option) => `        ${option} \\`),
    "        '*: : ' ;;"
  ]),
  "  esac",
  "}",
  'if [[ $funcstack[1] == _quartet ]]; then _quartet "$@"; else compdef _quartet quartet; fi'
]

/** Fish has no other escapes between single quotes. */
const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`

const fishOption = ({ names, summary, value }: Option): string => {
  const said = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const behind =
    typeof value === "object"
      ? ` -x -a ${fishQuoted(value.join(" "))}`
      : value === undefined
        ? ""
        : value === "file"
          ? " -r -F"
          : " -x"
  return `${said.join(" ")}${behind} -d ${fishQuoted(summary)}`
}

const fish = (all: ReadonlyArray<Completed>): ReadonlyArray<string> => [
  "complete -c quartet -f",
  ...before.map((option) => `complete -c quartet -n __fish_use_subcommand ${fishOption(option)}`),
  ...all.flatMap(({ name, options, summary }) => [
    `complete -c quartet -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ...options.map(
      (option) => `complete -c quartet -n '__fish_seen_subcommand_from ${name}' ${fishOption(option)}`
    )
  ])
]

const scripts = { bash, zsh, fish } satisfies Record<(typeof shells)[number], unknown>

/** The script for a shell; undefined for one that is not known. */
export const completions = async (shell: string | undefined): Promise<string | undefined> => {
  const known = shells.find((one) => one === shell)
  return known === undefined ? undefined : scripts[known](await commands()).join("\n")
}
