/** Writes the calls of the four clients: a module for each slice, which binds the operations that serve the audience. */
import { filesIn, read } from "@quartet/support/files.js"
import { groupText } from "../../clients/description/groups.js"
import { type Audience, callOf, kindOf, sliceOf } from "../../core/kernel/operation/operation.js"
import { docstring as written } from "./docstrings.js"
import { type Found, headOf, importsFor, moduleName, operations } from "./operations.js"
import { files as registries } from "./registries.js"
import { byPath, type Files, fitting, isMarked, marked, width, wrapped } from "./written.js"

/** The folder of each client. */
export const folders: Readonly<Record<Audience, string>> = {
  admin: "clients/admin",
  public: "clients/public",
  private: "clients/private",
  endUser: "clients/end-user"
}

/** Handwritten modules beside a slice's calls, exported with them. */
const additions: Readonly<Record<string, string>> = { "clients/public/content.ts": "./collection.js" }

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The file in which a client offers a call: `clients/admin/requests.ts`. */
export const boundIn = (audience: Audience, name: string): string =>
  `${folders[audience]}/${kebab(sliceOf(name))}.ts`

const isDownload = ({ declared: { success } }: Found): boolean => "bytes" in success

/** `delete` is a reserved word: such a call is bound under another name and exported under its own. */
const reserved = "delete"
const standIn = "remove"

/** The model that a type names, by the name that the type has for it: `Order` for `Orders.Order`. */
const linkIn =
  ([, answer]: Found["types"]) =>
  (model: string): string => {
    const name = model.slice(model.indexOf(".") + 1)
    return answer.match(/[\w.]+/g)?.find((word) => word === name || word.endsWith(`.${name}`)) ?? model
  }

const bindingOf = (audience: Audience, operation: Found, module: string, download: string): string => {
  const call = callOf(operation.name)
  const docstring = written("effect", audience, operation.name, {
    link: linkIn(operation.types),
    tags: ["@category operations"]
  })
  const source = `${module}.${operation.exported}`
  const bound = (left: string): string => {
    if (isDownload(operation)) return `${left} = /*#__PURE__*/ ${download}(${source})`
    // Written out: the compiler would write the answer as it is declared, whatever a project has recorded.
    const [input, answer] = operation.types
    const named = `Answered<"${audience}.${operation.name}", ${answer}>`
    const type = [input, named, `"${audience}"`, "Client", `"${kindOf(operation.declared)}"`]
    const end = "> = /*#__PURE__*/ bind("
    const opened = `${left}: Call<${type.join(", ")}${end}`
    return opened.length > width
      ? fitting(`${left}: Call<`, type, `${end}${source})`)
      : fitting(opened, [source], ")")
  }
  return call === reserved
    ? `${docstring}\n${bound(`const ${standIn}`)}\n\nexport { ${standIn} as ${reserved} }`
    : `${docstring}\n${bound(`export const ${call}`)}`
}

const sliceFile = (audience: Audience, file: string, calls: ReadonlyArray<Found>): string => {
  const sources = [...new Set(calls.map((call) => call.file))]
  const offersDownload = calls.some(({ name }) => callOf(name) === "download")
  const download = offersDownload ? "bindDownload" : "download"
  const addition = additions[file]
  const { named, statements } = importsFor(calls.filter((call) => !isDownload(call)))
  const types = [...named.values()].flat()
  const moduleOf = (source: string): string =>
    `${moduleName(source)}${types.includes(moduleName(source)) ? "Operations" : ""}`
  return [
    ...sources.map(headOf),
    marked(sources.join(", ")),
    ...[
      ...sources.map(
        (source) => `import * as ${moduleOf(source)} from "../../${source.replace(/\.ts$/, ".js")}"`
      ),
      ...statements,
      ...(statements.length === 0
        ? []
        : [
            'import type { Call } from "../../core/kernel/dispatch/dispatcher.js"',
            'import type { Answered } from "../../core/kernel/operation/recorded.js"'
          ])
    ].sort(byPath),
    ...(calls.every(isDownload) ? [] : ['import { bind, type Client } from "./client.js"']),
    ...(calls.some(isDownload)
      ? [`import { ${offersDownload ? "download as bindDownload" : "download"} } from "./download.js"`]
      : []),
    "",
    ...(addition === undefined ? [] : [`export * from "${addition}"\n`]),
    `${calls.map((call) => bindingOf(audience, call, moduleOf(call.file), download)).join("\n\n")}\n`
  ].join("\n")
}

/** The calls of one client as Promises: their types, and the operations that they are made of. */
const promiseFile = (
  audience: Audience,
  served: ReadonlyArray<Found>,
  slices: ReadonlyArray<string>
): string => {
  const files = [...new Set(served.map(({ file }) => file))]
  const imports = [
    ...files.map((file) => `import * as ${moduleName(file)} from "../../../${file.replace(/\.ts$/, ".js")}"`),
    'import type * as Errors from "../../../core/kernel/errors/errors.js"',
    'import type * as Schemas from "../../../core/schemas.js"',
    'import type { Method } from "../methods.js"'
  ]
  const of = (slice: string) => served.filter(({ name }) => sliceOf(name) === slice)
  const source = ({ exported, file }: Found): string => `${moduleName(file)}.${exported}`
  const types = slices.map((slice) => {
    const members = of(slice).map((operation) => {
      const type = [`"${audience}.${operation.name}"`, `typeof ${source(operation)}`]
      const docstring = written("promise", audience, operation.name, {
        indent: "    ",
        link: (model) => `Schemas.${model}`
      })
      return `${docstring}\n${fitting(`    readonly ${callOf(operation.name)}: Method<`, type, ">")}`
    })
    return `${aboutGroup(audience, slice)}\n  readonly ${slice}: {\n${members.join("\n")}\n  }`
  })
  const values = slices.map((slice) => {
    const members = of(slice).map((operation) => `    ${callOf(operation.name)}: ${source(operation)}`)
    return `  ${slice}: {\n${members.join(",\n")}\n  }`
  })
  return `/** The calls of one client as Promises, and the operations that they are made of. */
${marked("the operations")}
${imports.sort(byPath).join("\n")}

// Exported, as a compiler leaves out what only docstrings name.
export type { Errors, Schemas }

/** The slices of the client, each with its calls. */
export interface Calls {
${types.join("\n")}
}

export const operations = {
${values.join(",\n")}
}
`
}

/** What a group of calls is for, as a comment. */
const aboutGroup = (audience: Audience, slice: string): string => {
  const text = groupText(audience, slice)
  if (text === "") throw new Error(`clients/description/groups.ts says nothing of ${audience}.${slice}`)
  return ["  /**", ...wrapped([text], "   *"), "   */"].join("\n")
}

const namespace = (name: string): string => `import * as ${name} from "./${kebab(name)}.js"`

const clientFiles = (audience: Audience): Files => {
  const served = operations.filter(({ declared }) => declared.audiences.includes(audience))
  const slices = [...new Set(served.map(({ name }) => sliceOf(name)))]
  return new Map([
    ...slices.map((slice) => {
      const file = boundIn(audience, `${slice}.`)
      return [
        file,
        sliceFile(
          audience,
          file,
          served.filter(({ name }) => sliceOf(name) === slice)
        )
      ] as const
    }),
    [
      `${folders[audience].replace("clients", "clients/promise/calls")}.ts`,
      promiseFile(audience, served, slices)
    ],
    [
      `${folders[audience]}/slices.ts`,
      [
        "/** The client's slices, each with its calls. */",
        `${marked("the operations")}\n`,
        ...slices.map(namespace).sort(byPath),
        "",
        // A compiler shows the comment of a name that is exported so, and none of `export * as`.
        "export {",
        [...slices]
          .sort()
          .map((slice) => `${aboutGroup(audience, slice)}\n  ${slice}`)
          .join(",\n"),
        "}",
        ""
      ].join("\n")
    ]
  ])
}

/** The files of all clients. */
export const files: Files = new Map(
  (Object.keys(folders) as ReadonlyArray<Audience>).flatMap((audience) => [...clientFiles(audience)])
)

/** Sources that are no longer generated. */
export const leftOver: ReadonlyArray<string> = ["core", "adapters", "clients", "packages/sandbox"]
  .flatMap(filesIn)
  .filter((file) => file.endsWith(".ts") && isMarked(read(file)) && !files.has(file) && !registries.has(file))
