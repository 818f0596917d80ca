/** What the prose of a page says that the packages have, `Admin.layer` or `admin.users.list.pages`, as types that compile if it does. */
import { blocksIn } from "./markdown.js"

/** The modules that pages name by their members, each with its entry. */
const modules: Readonly<Record<string, string>> = {
  FetchTransport: "@quartet/sdk/adapters/fetch",
  FileStorage: "@quartet/sdk/adapters/storage-file",
  OpenApi: "@quartet/cli/openapi",
  PlatformTransport: "@quartet/sdk/adapters/platform",
  Recording: "@quartet/cli/recording",
  Sandbox: "@quartet/sandbox",
  Storage: "@quartet/sdk/adapters/storage",
  Tap: "@quartet/sdk/adapters/tap",
  Telemetry: "@quartet/sdk/adapters/telemetry",
  Testing: "@quartet/sandbox/testing",
  Transport: "@quartet/sdk/transport",
  UndiciTransport: "@quartet/sdk/adapters/undici",
  XhrTransport: "@quartet/sdk/adapters/xhr"
}

/** What the entry of all clients exports by these names. */
const exported = ["Admin", "Public", "Private", "EndUser", "Schemas"]

/** The names that pages give to clients with Promises. */
const clients: Readonly<Record<string, string>> = {
  admin: "createAdminClient",
  visitor: "createPublicClient",
  server: "createPrivateClient",
  ana: "createEndUserClient"
}

/** Names of others: files, attributes of OpenTelemetry, and what goes on from the name before it. */
const others = [".bashrc", ".env", ".reconnections", "server.address", "server.port"]

const head = [
  `import type { ${exported.join(", ")} } from "@quartet/sdk"`,
  ...Object.entries(modules).map(([name, entry]) => `import type * as ${name} from "${entry}"`),
  `import type { Errors, ${Object.values(clients).join(", ")} } from "@quartet/sdk/promise"`,
  "type Of<Names, Name extends keyof Names> = Names[Name]",
  "type Made<Create extends (...given: never) => object> = ReturnType<Create>",
  ...Object.entries(clients).map(([name, create]) => `type ${name} = Made<typeof ${create}>`),
  // What a reader may call on a call, whatever the call is.
  `type anyCall = admin["files"]["download"] & admin["requests"]["list"] & admin["users"]["get"]`
].join("\n")

/** The names in the code of a page's prose. One that begins with a dot is a member of a call. */
const membersIn = (text: string): ReadonlyArray<string> => {
  const spans = [...blocksIn(text).prose.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span)
  const names = spans.flatMap((span) =>
    /^\.\w+$/.test(span)
      ? [span]
      : [...span.matchAll(/(?<![\w/@."'-])[A-Za-z]\w*(?:\.[A-Za-z]\w*)+(?![\w/-])/g)].map(([path]) => path)
  )
  return names.filter((name) => !others.includes(name))
}

/** A member as programs of a line, one of which compiles if the package has it: none where it is another's. */
const linesOf = (path: string): ReadonlyArray<string> => {
  const [root = "", ...names] = path.split(".")
  if (root in modules || [...exported, "Errors"].includes(root)) return [`typeof ${path}`, path]
  if (!(root in clients) && root !== "") return []
  return [names.reduce((type, name) => `Of<${type}, "${name}">`, root || "anyCall")]
}

/** What says which members of a page the package does not have. */
export interface Members {
  /** A program to compile. */
  readonly code: string
  readonly count: number
  /** `page names member` of each that is not there, by the lines of the program that do not compile. */
  readonly missing: (lines: ReadonlySet<number>) => ReadonlyArray<string>
}

/** The members that pages name. */
export const membersOf = (pages: ReadonlyArray<readonly [page: string, text: string]>): Members => {
  const program = [head]
  const first = head.split("\n").length
  const named = pages.flatMap(([page, text]) =>
    membersIn(text).flatMap((path) => {
      const lines = linesOf(path).map((type) => {
        const line = program.push(`type t${program.length} = ${type}`)
        return line - 1 + first
      })
      return lines.length === 0 ? [] : [{ place: `${page} names ${path}`, lines }]
    })
  )
  return {
    code: `${program.join("\n")}\nexport {}\n`,
    count: named.length,
    missing: (wrong) =>
      named.filter(({ lines }) => lines.every((line) => wrong.has(line))).map(({ place }) => place)
  }
}
