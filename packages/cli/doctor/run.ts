/** Looks at what a program with the SDK needs, from the versions to the permissions, and says what to do. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { configuration, connect, lackOf, moduleOf } from "../configuration.js"
import type { Connection } from "../connection.js"
import { audiences, clientNames } from "../connection.js"
import { codes, Problem } from "../exit.js"
import { colours, json, listed, print } from "../output.js"
import { CanAsk } from "../terminal.js"
import { address } from "./address.js"
import { adminCredentials, credentials, type Permission } from "./credentials.js"
import { type Finding, failed, ok, skipped } from "./finding.js"
import { installation } from "./installation.js"

const { bold, dim, green, red, yellow } = colours

const marks: Readonly<Record<Finding["status"], string>> = {
  ok: green("✓"),
  warning: yellow("!"),
  failed: red("✗"),
  skipped: dim("–")
}

const lineOf = ({ check, next, says, status }: Finding): string =>
  `${marks[status]} ${bold(check)}: ${says}${next === undefined ? "" : `\n    ${status === "skipped" ? dim(next) : next}`}`

const permissionLine = ({ denied, permitted, resource }: Permission): string => {
  const count = `${permitted.length} of ${permitted.length + denied.length} calls`
  return `    ${resource.padEnd(16)}${count.padEnd(18)}${denied.length === 0 ? "" : dim(`not ${denied.join(", ")}`)}`.trimEnd()
}

const noAddress = skipped(
  "address",
  "QUARTET_BASE_URL is not set",
  "Set it in the environment or in a file (--dotenv), with the credentials to check; or pass --sandbox."
)

/** All checks, each told as soon as it is done. */
const examine = (connection: Connection, tell: (finding: Finding) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    yield* Effect.forEach(installation(process.cwd()), tell, { discard: true })
    const settings = yield* configuration(connection.dotenv)
    const baseUrl = settings.find("QUARTET_BASE_URL")
    if (!connection.isSandbox) {
      if (baseUrl === undefined) {
        yield* tell(noAddress)
        return []
      }
      const legacyUrl = settings.find("QUARTET_LEGACY_URL")
      yield* Effect.flatMap(address("address", "QUARTET_BASE_URL", baseUrl), Effect.forEach(tell))
      if (legacyUrl !== undefined)
        yield* Effect.flatMap(
          address("legacy address", "QUARTET_LEGACY_URL", legacyUrl),
          Effect.forEach(tell)
        )
    }
    const module = yield* Effect.either(moduleOf(connection))
    if (Either.isLeft(module)) {
      const { code, message, next = "Correct it." } = module.left
      yield* tell(failed("the platform's form", message, next, code))
      return []
    }
    if (module.right !== undefined) yield* tell(ok("the platform's form", `${module.right.file} says it`))
    const platform = yield* connect(connection)
    let permissions: ReadonlyArray<Permission> = []
    for (const client of clientNames) {
      const { isBegun, missing } = lackOf(settings, audiences[client])
      const check = `credentials of the ${client} client`
      if (!connection.isSandbox && missing.length > 0) {
        const says = `${listed(missing)} ${missing.length === 1 ? "is" : "are"} not set`
        yield* tell(
          isBegun
            ? failed(check, says, "Set what is missing.", codes.credentials)
            : skipped(check, says, "Set it to have them checked.")
        )
      } else if (client === "admin") {
        const seen = yield* adminCredentials(platform)
        permissions = seen.permissions
        yield* tell(seen.finding)
      } else yield* tell(yield* credentials(platform, client))
    }
    return permissions
  }).pipe(Effect.scoped, Effect.provideService(CanAsk, false))

/** The exit code of what was found. */
const codeOf = (findings: ReadonlyArray<Finding>): Finding["code"] => {
  const wrong = findings.filter(({ status }) => status === "failed")
  if (wrong.length === 0) return undefined
  return wrong.some(({ code }) => code === codes.credentials) ? codes.credentials : codes.failed
}

export const doctor = (options: Connection & { readonly isJson: boolean }) =>
  Effect.gen(function* () {
    const findings: Array<Finding> = []
    const permissions = yield* examine(options, (finding) =>
      Effect.suspend(() => {
        findings.push(finding)
        return options.isJson ? Effect.void : print(lineOf(finding))
      })
    )
    if (options.isJson)
      yield* json({ findings: findings.map(({ code: _, ...finding }) => finding), permissions })
    else if (permissions.length > 0)
      yield* print(`${bold("The admin's token permits")}\n${permissions.map(permissionLine).join("\n")}`)
    const code = codeOf(findings)
    const failures = findings.filter(({ status }) => status === "failed").length
    if (code !== undefined)
      return yield* new Problem({
        message: `${failures} of ${findings.length} checks failed`,
        next: "Each says above what to do.",
        code
      })
  })
