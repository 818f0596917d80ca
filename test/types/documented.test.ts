// Whatever an editor offers says what it is: each name that an entry of the SDK exports, and each member of it, has a docstring. Asked of the compiler.
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { entriesOf, published } from "@quartet/support/workspaces.js"
import ts from "typescript-6.0"
import { expect, test } from "vitest"
import { calls, fields } from "../../core/platform/names.js"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The entries that apps import; the others are for packages that extend the SDK. */
const entries = published
  .filter(({ manifest }) => manifest.name === "@quartet/sdk")
  .flatMap(entriesOf)
  .filter(({ name, source }) => !name.includes("/extend") && source.endsWith(".ts"))

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
const groups = calls.map((call) => call.slice(0, call.indexOf(".")))

/** What needs no docstring, and why. */
const exempt: ReadonlyArray<readonly [place: RegExp, reason: string]> = [
  [/^_tag$/, "an error's class and a union say what their tags are"],
  [/^(?:message|cause|toJSON)$/, "what every error has"],
  [/^prototype$/, "what every class has"],
  [/^(?:\d+|length)$/, "a list's own"],
  [
    /^(?:key|value) .*core\/(?:content|projects)\/model\.ts$|^(?:key|value) .*operation\/input\.ts$/,
    "Effect's words for a record"
  ],
  [/^made .*operation\/raw\.ts$/, "no value of a program: it makes the type differ from all others"],
  [/^content $/, "a second name of `items`, which is made for each name"],
  [/ core\/kernel\/operation\/failures\.ts$/, "rows of a table, which says what it is"],
  [/ core\/tenants\/topics\.ts$/, "rows of a table, which says what it is"],
  [
    new RegExp(
      `^(?:(?:admin|public|private|endUser)\\.)?(?:${[...calls, ...groups, ...fields, ...methods].join("|")}) $`
    ),
    "the names of calls, their groups, methods and fields, each made for its name"
  ],
  [/ adapters\/telemetry\/spans\.ts$/, "OpenTelemetry's own interface, by its names"]
]

/** What is not looked into: the machine of a client, and the names of options, which the type of a configuration tells of. */
const closed: ReadonlySet<string> = new Set(["dispatcher", "known"])

/** Types of the machine, which no app calls. */
const machine = /^core\/kernel\/dispatch\/(?:lifetime\/.*|dispatcher|endpoint|execution)\.ts$/

/** The steps from an export after which nothing is read that is nowhere nearer. */
const farthest = 12

const settings = ts.getParsedCommandLineOfConfigFile(
  join(root, "tsconfig.json"),
  { noEmit: true },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined
  }
)

/** The names and members without a docstring, each with a way to it. */
const undocumented = (sources: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = ts.createProgram(
    sources.map((source) => join(root, source)),
    settings?.options ?? {}
  )
  const checker = program.getTypeChecker()
  const fileOf = (symbol: ts.Symbol): string => {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName
    return file === undefined ? "" : relative(root, file)
  }
  const isOwn = (file: string): boolean => !/^\.\.|(?:^|\/)node_modules\//.test(file)
  const textOf = (symbol: ts.Symbol): string =>
    ts.displayPartsToString(symbol.getDocumentationComment(checker))

  const found = new Map<string, string>()
  const seen = new Set<unknown>()
  const isNew = (one: unknown): boolean => !seen.has(one) && seen.add(one).has(one)

  const visit = (named: ts.Symbol, way: string): void => {
    const symbol = named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
    const file = fileOf(symbol)
    if (!isOwn(file)) return
    const place = `${symbol.flags & ts.SymbolFlags.Module ? named.name : symbol.name} ${file}`
    const isExempt = exempt.some(([pattern]) => pattern.test(place) || pattern.test(symbol.name))
    if (textOf(named) === "" && textOf(symbol) === "" && !isExempt && !machine.test(file))
      found.set(place, found.get(place) ?? way)
    if (symbol.flags & ts.SymbolFlags.Module) {
      if (isNew(symbol))
        for (const member of checker.getExportsOfModule(symbol)) visit(member, `${way}.${member.name}`)
      return
    }
    if (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeAlias))
      visitType(checker.getDeclaredTypeOfSymbol(symbol), way)
    if (symbol.flags & ts.SymbolFlags.Value && !closed.has(named.name))
      visitType(checker.getTypeOfSymbol(symbol), way)
  }

  /** Types that are to be read, those on short ways first: a type that makes ever new ones, as `as` does, ends at `farthest`. */
  const later: Array<readonly [type: ts.Type, way: string]> = []
  const visitType = (type: ts.Type, way: string): void => {
    if (isNew(type) && way.split(/[.(]/).length < farthest) later.push([type, way])
  }

  const readType = (type: ts.Type, way: string): void => {
    if (type.isUnionOrIntersection()) for (const part of type.types) visitType(part, way)
    if (!(type.flags & ts.TypeFlags.Object)) return
    const given = [
      ...(type.aliasTypeArguments ?? []),
      // Of what has none, this is an empty list.
      ...checker.getTypeArguments(type as ts.TypeReference)
    ]
    for (const argument of given) visitType(argument, way)
    if (type.symbol !== undefined && !isOwn(fileOf(type.symbol))) return
    for (const member of checker.getPropertiesOfType(type))
      if (!member.name.startsWith("__@")) visit(member, `${way}.${member.name}`)
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const parameter of signature.getParameters())
        visitType(checker.getTypeOfSymbol(parameter), `${way}(${parameter.name})`)
      visitType(signature.getReturnType(), `${way}()`)
    }
  }

  for (const source of sources) {
    const file = program.getSourceFile(join(root, source))
    const module = file && checker.getSymbolAtLocation(file)
    if (module !== undefined)
      for (const name of checker.getExportsOfModule(module)) visit(name, `${source}: ${name.name}`)
  }
  for (const [type, way] of later) readType(type, way)
  return Array.from(found, ([place, way]) => `${place} (${way})`).sort()
}

test("every name that the SDK offers, and every member of it, says what it is", {
  timeout: patient(120_000)
}, () => {
  const sources = entries.map(({ source }) => source)
  expect(sources.length).toBeGreaterThan(60)
  expect(undocumented(sources)).toEqual([])
})

test("a name or a member without a docstring is found, wherever it stands", {
  timeout: patient(120_000)
}, () => {
  expect(undocumented(["test/types/undocumented.test-d.ts"])).toEqual([
    "bare test/types/undocumented.test-d.ts (test/types/undocumented.test-d.ts: Told.bare)",
    "inner test/types/undocumented.test-d.ts (test/types/undocumented.test-d.ts: told(options).inner)",
    "untold test/types/undocumented.test-d.ts (test/types/undocumented.test-d.ts: untold)"
  ])
})
