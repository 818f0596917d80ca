/**
 * Where each call of the platform's list lives: the operation that declares it, its docstring, and the client's slice
 * that offers it. Found by walking the sources, so that nothing is listed a second time.
 */
import { join } from "node:path"
import { type Audience, type Declared, Operation } from "../../core/kernel/operation.js"
import { type Client, partsOf, type Row, rows } from "../wire/rows.js"
import { filesIn, read, root } from "../../tools/files.js"

type AnyOperation = Operation<never, unknown, never>

/** An operation in the source that declares it. */
export interface Found {
  readonly operation: AnyOperation
  readonly name: string
  readonly declared: Declared
  /** `core/requests/operations.ts` */
  readonly file: string
  readonly exported: string
  /** What its docstring says, on one line. */
  readonly summary: string
}

/** A call of one client. */
export interface Call {
  /** `<client>.<slice>.<call>` */
  readonly id: string
  readonly client: Client
  readonly row: Row
  readonly found: Found
  /** The file in which the client binds it. */
  readonly bound: string
}

const load = (file: string): Promise<Readonly<Record<string, unknown>>> => import(join(root, file))

const summaryOf = (file: string, exported: string): string => {
  const docstring =
    new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*export const ${exported}\\b`).exec(read(file))?.[1] ?? ""
  return docstring.replace(/\s*\n\s*\* ?/g, " ").trim()
}

const operationFiles = filesIn("core").filter(
  (file) => /^core\/[a-z-]+\/[a-z-]+\.ts$/.test(file) && read(file).includes("Operation.make(")
)

/** All operations, by the order of their files and of their declarations in them. */
export const operations: ReadonlyArray<Found> = (
  await Promise.all(
    operationFiles.map(async (file) =>
      Object.entries(await load(file)).flatMap(([exported, operation]) =>
        Operation.isOperation(operation)
          ? [
              {
                operation,
                name: operation.name,
                declared: operation.declaration(),
                file,
                exported,
                summary: summaryOf(file, exported)
              }
            ]
          : []
      )
    )
  )
)
  .flat()
  .sort(
    (one, other) =>
      one.file.localeCompare(other.file) ||
      read(one.file).indexOf(`export const ${one.exported}:`) -
        read(other.file).indexOf(`export const ${other.exported}:`)
  )

const folders: Readonly<Record<Audience, string>> = {
  admin: "clients/admin",
  public: "clients/public",
  private: "clients/private",
  endUser: "clients/end-user"
}

/** The operations that a client's files bind, and where. */
const bindings = new Map<Audience, ReadonlyMap<unknown, string>>(
  await Promise.all(
    Object.entries(folders).map(async ([audience, folder]) => {
      const found = new Map<unknown, string>()
      for (const file of filesIn(folder)) {
        for (const member of Object.values(await load(file)))
          if (typeof member === "function" && "operation" in member) found.set(member.operation, file)
      }
      return [audience as Audience, found] as const
    })
  )
)

/** The call of a row of the platform's list. */
const callOf = (row: Row): Call => {
  const { call, client, slice } = partsOf(row.id)
  const found = operations.find(
    ({ declared, name }) => name === `${slice}.${call}` && declared.audiences.includes(client)
  )
  const bound = bindings.get(client)?.get(found?.operation)
  if (found === undefined || bound === undefined) throw new Error(`${row.id} is not declared, or not bound`)
  return { id: row.id, client, row, found, bound }
}

/** All calls, in the order of the platform's list. */
export const calls: ReadonlyArray<Call> = rows.map(callOf)
