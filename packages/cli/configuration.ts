/**
 * The platform that a command talks to, and its clients. What they need comes from the environment, then from a file in dotenv
 * form, then from a prompt; never from arguments, which other users of a machine can read. With `--sandbox` it is a sandbox in
 * this process and its accounts.
 */
import * as Util from "node:util"
import * as Prompt from "@effect/cli/Prompt"
import type { QuitException } from "@effect/platform/Terminal"
import * as Sandbox from "@quartet/sandbox"
import * as Socket from "@quartet/sdk/adapters/socket"
import * as Admin from "@quartet/sdk/admin/client"
import * as EndUser from "@quartet/sdk/end-user/client"
import { layerSignIn } from "@quartet/sdk/end-user/sign-in"
import {
  type Audience,
  type Bindable,
  type CallError,
  type ChatSocket,
  type Drift,
  makePlatform,
  readerOfPlatform,
  Settings,
  Transport,
  type TransportService
} from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private/client"
import * as Public from "@quartet/sdk/public/client"
import * as DefaultTransport from "@quartet/sdk/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Connection } from "./connection.js"
import { codeOf, codes, Problem } from "./exit.js"
import * as Files from "./files.js"
import { listed } from "./output.js"
import type { PlatformModule } from "./platform.js"
import * as PlatformModules from "./platform.js"
import { CanAsk } from "./terminal.js"

/** What the environment may hold, as a prompt asks for it. */
const variables = {
  QUARTET_BASE_URL: { question: "Address of the platform", isSecret: false },
  QUARTET_OPTIONS: { question: "Further options of the clients, as JSON", isSecret: false },
  QUARTET_LEGACY_URL: { question: "Address of the legacy service", isSecret: false },
  QUARTET_PROJECT_ID: { question: "Id of the project", isSecret: false },
  QUARTET_EMAIL: { question: "E-mail of the admin", isSecret: false },
  QUARTET_PASSWORD: { question: "Password of the admin", isSecret: true },
  QUARTET_SESSION_ID: { question: "Session id of the admin", isSecret: true },
  QUARTET_ACCESS_TOKEN: { question: "Access token of the admin", isSecret: true },
  QUARTET_COOKIES: { question: "Cookies beside the session of the admin", isSecret: true },
  QUARTET_API_KEY: { question: "API key of the project", isSecret: true },
  QUARTET_PRIVATE_KEY: { question: "Private key of the project", isSecret: true },
  QUARTET_USER_SESSION_ID: { question: "Session id of the end user", isSecret: true },
  QUARTET_USER_COOKIES: { question: "Cookies beside the session of the end user", isSecret: true },
  QUARTET_USER_EMAIL: { question: "E-mail of the end user", isSecret: false },
  QUARTET_USER_PASSWORD: { question: "Password of the end user", isSecret: true },
  QUARTET_FLEET_STORE: { question: "Store of the fleet", isSecret: true }
} as const

/** The name of a variable. */
export type Variable = keyof typeof variables

/** The variables that options come from, by the options' names. */
type Sources<Option extends string = string> = Readonly<Record<Option, Variable>>

/** Variables by their names. */
type Values = Readonly<Record<string, string | undefined>>

/** The variables of the file, which may be missing unless it was named. */
const readFile = (named: Option.Option<string>): Effect.Effect<Values, Problem> =>
  Effect.map(Option.match(named, { onNone: () => Files.read(".env"), onSome: Files.need }), (text = "") =>
    Util.parseEnv(text)
  )

/** What a command cannot do without, and is not given. */
const missing = (names: ReadonlyArray<Variable>): Problem =>
  new Problem({
    message: `${listed(names)} ${names.length === 1 ? "is" : "are"} missing`,
    next: "Set what is missing in the environment or in a file (--dotenv), run this on a terminal to be asked, or try it with --sandbox.",
    code: codes.credentials
  })

/** The environment, the file and the answers to prompts. */
export interface Configuration {
  /** A variable; undefined where it is not set. */
  readonly find: (name: Variable) => string | undefined
  /** The options that come from these variables; those that are not set are asked for. */
  readonly need: <Option extends string>(
    sources: Sources<Option>
  ) => Effect.Effect<Readonly<Record<Option, string>>, Problem | QuitException, Prompt.Prompt.Environment>
}

/** The variables that options of every client come from; of the admin's, the key too. */
const common = {
  baseUrl: "QUARTET_BASE_URL",
  legacyUrl: "QUARTET_LEGACY_URL",
  apiKey: "QUARTET_API_KEY"
} as const satisfies Sources

/** The variables that a client's options come from, each of which it cannot do without. */
const sources = {
  admin: { projectId: "QUARTET_PROJECT_ID", email: "QUARTET_EMAIL", password: "QUARTET_PASSWORD" },
  adminSession: {
    projectId: "QUARTET_PROJECT_ID",
    sessionId: "QUARTET_SESSION_ID",
    accessToken: "QUARTET_ACCESS_TOKEN"
  },
  public: { apiKey: "QUARTET_API_KEY" },
  private: { privateKey: "QUARTET_PRIVATE_KEY" },
  endUser: { apiKey: "QUARTET_API_KEY", sessionId: "QUARTET_USER_SESSION_ID" },
  endUserSignIn: {
    apiKey: "QUARTET_API_KEY",
    email: "QUARTET_USER_EMAIL",
    password: "QUARTET_USER_PASSWORD"
  }
} as const satisfies Readonly<Record<string, Sources>>

/** The variables that the cookies beside a given session come from. */
const cookies = {
  adminSession: { cookies: "QUARTET_COOKIES" },
  endUser: { cookies: "QUARTET_USER_COOKIES" }
} as const satisfies Readonly<Record<string, Sources>>

/** Cookies as a header has them, `name=value; other=value`, as an option of a client. */
const cookiesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(";").map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return [name.trim(), value.join("=").trim()]
    })
  )

/** Which of them are taken for the client of an audience. */
const wayOf = ({ find }: Configuration, audience: Audience): keyof typeof sources => {
  const has = (name: Variable): boolean => find(name) !== undefined
  if (audience === "admin" && has("QUARTET_SESSION_ID") && has("QUARTET_ACCESS_TOKEN")) return "adminSession"
  if (audience === "endUser" && !has("QUARTET_USER_SESSION_ID") && has("QUARTET_USER_EMAIL"))
    return "endUserSignIn"
  return audience
}

/** What the client of an audience cannot do without. */
const needsOf = (configuration: Configuration, audience: Audience): Sources =>
  sources[wayOf(configuration, audience)]

/** `accessToken` as sentences have it. */
const words = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** A refused configuration of a client, with the variables or the module that what is wrong came from. */
const located =
  (names: Sources, module: PlatformModule | undefined) =>
  (error: CallError): CallError | Problem => {
    if (error.operation !== "client") return error
    const candidates = Object.entries<Variable>({ ...common, ...names })
    const [root] = error._tag === "InputError" ? error.field.split(".") : []
    if (root === "platform" && module !== undefined)
      return new Problem({
        message: error.message,
        next: `It comes from ${module.file}.`,
        code: codeOf(error),
        error
      })
    const named = candidates.filter(([name]) =>
      root === undefined ? [name, words(name)].some((text) => error.message.includes(text)) : name === root
    )
    const from = named.length > 0 || root === undefined ? named.map(([, name]) => name) : ["QUARTET_OPTIONS"]
    return new Problem({
      message: error.message,
      next: `It comes from ${listed(from.length > 0 ? from : Object.values(names))} in the environment or in the file.`,
      code: codeOf(error),
      error
    })
  }

/** What shows that a client is meant to be configured: of the variables of its ways, those that are not in each of several. */
const signsOf = (audience: Audience): ReadonlyArray<Variable> => {
  const ways: ReadonlyArray<Sources> =
    audience === "admin"
      ? [sources.admin, sources.adminSession]
      : audience === "endUser"
        ? [sources.endUser, sources.endUserSignIn]
        : [sources[audience]]
  const names = ways.flatMap((way) => Object.values(way))
  return ways.length === 1
    ? names
    : names.filter((name) => !ways.every((way) => Object.values(way).includes(name)))
}

/** What a client lacks, and whether anything of it is configured at all. */
export const lackOf = (configuration: Configuration, audience: Audience) => ({
  isBegun: signsOf(audience).some((name) => configuration.find(name) !== undefined),
  missing: Object.values(needsOf(configuration, audience)).filter(
    (name) => configuration.find(name) === undefined
  )
})

const ask = (name: Variable): Effect.Effect<string, QuitException, Prompt.Prompt.Environment> => {
  const { isSecret, question } = variables[name]
  const options = {
    message: question,
    validate: (text: string) => (text === "" ? Effect.fail("It cannot be empty") : Effect.succeed(text))
  }
  return isSecret
    ? Effect.map(Prompt.run(Prompt.hidden(options)), Redacted.value)
    : Prompt.run(Prompt.text(options))
}

/** Reads the environment and the file. */
export const configuration = (
  dotenv: Option.Option<string>,
  environment: Values = process.env
): Effect.Effect<Configuration, Problem> =>
  Effect.map(readFile(dotenv), (file) => {
    const answers = new Map<Variable, string>()
    // A blank variable is one that is not set.
    const find = (name: Variable) =>
      [environment[name], file[name], answers.get(name)].find((text) => text?.trim())
    const need: Configuration["need"] = (names) =>
      Effect.gen(function* () {
        const unset = Object.values<Variable>(names).filter((name) => find(name) === undefined)
        if (unset.length > 0 && !(yield* CanAsk)) return yield* missing(unset)
        for (const name of unset) answers.set(name, yield* ask(name))
        return Record.map(names, (name: Variable) => find(name) ?? "")
      })
    return { find, need }
  })

/** The address that an option names. */
export const addressOf = (option: string, url: string): Either.Either<Settings.Address, Problem> =>
  Either.mapLeft(
    Settings.address(option, url),
    ({ rule }) =>
      new Problem({
        message: `${option} ${rule}`,
        next: "Write it as https://api.example.com.",
        code: codes.usage
      })
  )

/** Options that only the admin client has. */
const ofAdmins = ["permissions", "permissionNames", "signInCooldown"]

/**
 * The further options of the clients, such as `{ "headerNames": …, "routes": …, "permissions": "off" }`. Which there are, and
 * what they may be, the clients check.
 */
export const optionsOf = ({
  find
}: Configuration): Effect.Effect<Readonly<Record<"all" | "admin", object>>, Problem> => {
  const refused = () =>
    new Problem({
      message: "QUARTET_OPTIONS must be a JSON object",
      next: `Write it as {"permissions": "off"}, with options of the clients.`,
      code: codes.usage
    })
  return Effect.flatMap(
    Effect.try({ try: (): unknown => JSON.parse(find("QUARTET_OPTIONS") ?? "{}"), catch: refused }),
    (options) => {
      if (typeof options !== "object" || options === null || Array.isArray(options)) return refused()
      const others = Object.entries(options).filter(([name]) => !ofAdmins.includes(name))
      return Effect.succeed({ admin: options, all: Object.fromEntries(others) })
    }
  )
}

/** Why a client could not be made. */
export type Failure = Problem | QuitException | CallError

/** The clients of a platform. Each asks for what it needs when it is built. */
export interface Clients {
  readonly admin: Layer.Layer<Admin.Client, Failure, Prompt.Prompt.Environment>
  readonly public: Layer.Layer<Public.Client, Failure, Prompt.Prompt.Environment>
  readonly private: Layer.Layer<Private.Client, Failure, Prompt.Prompt.Environment>
  readonly endUser: Layer.Layer<EndUser.Client, Failure, Prompt.Prompt.Environment>
}

/** What clients are made over. */
type Ports = Layer.Layer<Transport | ChatSocket>

/** A platform and its clients. */
export interface Platform extends Clients {
  readonly baseUrl: string
  /** The project that is configured, or was asked for by now. */
  readonly project: () => string | undefined
  readonly isSandbox: boolean
  readonly ports: Context.Context<Transport | ChatSocket>
  /** The same clients over other ports. */
  readonly over: (ports: Ports) => Clients
}

/** What a command wants beside the clients. */
export interface Wishes {
  /** The client that it will use: what that one lacks is said, or asked for, at once. */
  readonly audience?: Audience
  /**
   * Lets something else see what goes through the transport, such as a recorder. Where somebody says how the platform differs, that is what the
   * SDK has made of it.
   */
  readonly wrap?: ((transport: TransportService) => TransportService) | undefined
  /** Leaves permissions to the platform, whatever the options say of them. */
  readonly isUnjudged?: boolean
  /** Hears where answers are not as the SDK declares them. */
  readonly onDrift?: (drift: Drift) => Effect.Effect<void>
}

const portsOf = (
  layer: Layer.Layer<Transport | ChatSocket, CallError>,
  wrap: Wishes["wrap"] = (transport) => transport
): Effect.Effect<Context.Context<Transport | ChatSocket>, CallError, Scope.Scope> =>
  Effect.map(Layer.build(layer), (ports) =>
    Context.add(ports, Transport, wrap(Context.get(ports, Transport)))
  )

/** What a module says, as an option of the clients. With `wrap`, something else sees the exchanges in the form of the SDK. */
const spokenBy = (
  module: PlatformModule | undefined,
  wrap: NonNullable<Wishes["wrap"]> = (transport) => transport
): { readonly platform?: PlatformModule["platform"] } => {
  const read = module && readerOfPlatform(module.platform)
  if (read === undefined) return {}
  const platform = makePlatform((around) =>
    Either.map(read(around), (dialect) => ({
      ...dialect,
      translator: (operation) => {
        const translator = dialect.translator(operation)
        return { ...translator, over: (transport, call) => wrap(translator.over(transport, call)) }
      }
    }))
  )
  return { platform }
}

/** The sandbox in this process has this address, which nobody else can reach. */
const sandboxUrl = "http://sandbox.test"

const sandbox = (
  { wrap }: Wishes,
  module: PlatformModule | undefined
): Effect.Effect<Platform, Failure, Scope.Scope> =>
  Effect.map(portsOf(Sandbox.layer(), module === undefined ? wrap : undefined), (ports) => {
    const { admin, apiKey, endUsers, privateKey, projectId } = Sandbox.accounts
    const baseUrl = sandboxUrl
    const shared = { baseUrl, ...spokenBy(module, wrap) }
    const over = (below: Ports): Clients => {
      const layer = <Id>(made: Layer.Layer<Id, CallError, Transport>) =>
        Layer.provide(Layer.mapError(made, located({}, module)), below)
      return {
        admin: layer(Admin.layer({ ...shared, projectId, apiKey, ...admin })),
        public: layer(Public.layer({ ...shared, apiKey })),
        private: layer(Private.layer({ ...shared, privateKey })),
        endUser: layer(layerSignIn({ ...shared, apiKey, ...endUsers.ana }))
      }
    }
    return {
      baseUrl,
      project: () => projectId,
      isSandbox: true,
      ports,
      over,
      ...over(Layer.succeedContext(ports))
    }
  })

/** Configures the clients of a real platform by variables. */
const remote = (
  configuration: Configuration,
  { audience, isUnjudged = false, onDrift, wrap }: Wishes,
  module: PlatformModule | undefined
): Effect.Effect<Platform, Failure, Scope.Scope | Prompt.Prompt.Environment> =>
  Effect.gen(function* () {
    const { find, need } = configuration
    const first = audience === undefined ? {} : needsOf(configuration, audience)
    const { baseUrl } = yield* need({ baseUrl: common.baseUrl, ...first })
    const options = yield* optionsOf(configuration)
    const optional = (name: keyof typeof common): object => {
      const value = find(common[name])
      return value === undefined ? {} : { [name]: value }
    }
    const beside = ({ cookies: name }: Readonly<Record<"cookies", Variable>>): object => {
      const text = find(name)
      return text === undefined ? {} : { cookies: cookiesIn(text) }
    }
    const shared = {
      ...options.all,
      baseUrl,
      ...optional("legacyUrl"),
      ...spokenBy(module, wrap),
      ...(onDrift === undefined ? {} : { onDrift })
    }
    const ports = yield* portsOf(
      Layer.merge(DefaultTransport.layer, Socket.layer),
      module === undefined ? wrap : undefined
    )
    const layer = <Option extends string, Id>(
      below: Ports,
      names: Sources<Option>,
      make: (credentials: Readonly<Record<Option, string>>) => Layer.Layer<Id, CallError, Transport>,
      further: Sources = {}
    ): Layer.Layer<Id, Failure, Prompt.Prompt.Environment> =>
      Layer.provide(
        Layer.unwrapEffect(
          Effect.map(need(names), (credentials) =>
            Layer.mapError(make(credentials), located({ ...names, ...further }, module))
          )
        ),
        below
      )
    const over = (below: Ports): Clients => ({
      admin: Layer.suspend(() => {
        const own = {
          ...options.admin,
          ...shared,
          ...optional("apiKey"),
          ...(isUnjudged ? ({ permissions: "off" } as const) : {})
        }
        return wayOf(configuration, "admin") === "adminSession"
          ? layer(
              below,
              sources.adminSession,
              (credentials) => Admin.layer({ ...own, ...beside(cookies.adminSession), ...credentials }),
              cookies.adminSession
            )
          : layer(below, sources.admin, (credentials) => Admin.layer({ ...own, ...credentials }))
      }),
      public: layer(below, sources.public, (credentials) => Public.layer({ ...shared, ...credentials })),
      private: layer(below, sources.private, (credentials) => Private.layer({ ...shared, ...credentials })),
      endUser: Layer.suspend(() =>
        wayOf(configuration, "endUser") === "endUserSignIn"
          ? layer(below, sources.endUserSignIn, (credentials) => layerSignIn({ ...shared, ...credentials }))
          : layer(
              below,
              sources.endUser,
              (credentials) => EndUser.layer({ ...shared, ...beside(cookies.endUser), ...credentials }),
              cookies.endUser
            )
      )
    })
    return {
      baseUrl,
      project: () => find("QUARTET_PROJECT_ID"),
      isSandbox: false,
      ports,
      over,
      ...over(Layer.succeedContext(ports))
    }
  })

/** The module that says how the platform differs. That of package.json is not about a sandbox. */
export const moduleOf = ({
  isSandbox,
  platform
}: Connection): Effect.Effect<PlatformModule | undefined, Problem> =>
  isSandbox && Option.isNone(platform) ? Effect.succeed(undefined) : PlatformModules.read(platform)

/** The environment, with the addresses that options name. */
const environmentOf = ({ baseUrl = Option.none(), legacyUrl = Option.none() }: Connection): Values => ({
  ...process.env,
  ...Option.match(baseUrl, { onNone: () => ({}), onSome: (url) => ({ QUARTET_BASE_URL: url }) }),
  ...Option.match(legacyUrl, { onNone: () => ({}), onSome: (url) => ({ QUARTET_LEGACY_URL: url }) })
})

/** The platform that the options name, until the scope closes. */
export const connect = (
  connection: Connection,
  wishes: Wishes = {}
): Effect.Effect<Platform, Failure, Scope.Scope | Prompt.Prompt.Environment> =>
  Effect.flatMap(moduleOf(connection), (module) =>
    connection.isSandbox
      ? sandbox(wishes, module)
      : Effect.flatMap(configuration(connection.dotenv, environmentOf(connection)), (variablesRead) =>
          remote(variablesRead, wishes, module)
        )
  )

/** The client of an audience, until the scope closes. */
export const clientFor = (
  platform: Clients,
  audience: Audience
): Effect.Effect<Bindable, Failure, Scope.Scope | Prompt.Prompt.Environment> => {
  const client = <Id, S extends Bindable>(
    layer: Layer.Layer<Id, Failure, Prompt.Prompt.Environment>,
    tag: Context.Tag<Id, S>
  ): Effect.Effect<Bindable, Failure, Scope.Scope | Prompt.Prompt.Environment> =>
    Effect.map(Layer.build(layer), Context.get(tag))
  switch (audience) {
    case "admin":
      return client(platform.admin, Admin.Client)
    case "public":
      return client(platform.public, Public.Client)
    case "private":
      return client(platform.private, Private.Client)
    case "endUser":
      return client(platform.endUser, EndUser.Client)
  }
}
