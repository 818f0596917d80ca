/**
 * Serves the built console on Node: files with their types, cached for a year if their names contain a digest, the page
 * for every other address, and a policy that lets nothing run but the console's own files.
 */

import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { TaggedError } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { type Configuration, name } from "./configuration.js"

/** There is no built console in the directory. */
export class ConsoleMissing extends TaggedError("ConsoleMissing")<{ readonly directory: string }> {
  override get message(): string {
    return `there is no built console in ${this.directory}: run "npm run build:console"`
  }
}

/** The page, which every address of the console answers. */
const page = "/index.html"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

/**
 * What a page may do: load the console's own files, call its own origin, and nothing else. `script` is the one that may stand in
 * the page, by its digest.
 */
const policyOf = (script?: string): string =>
  [
    "default-src 'none'",
    `script-src 'self'${script === undefined ? "" : ` 'sha256-${createHash("sha256").update(script).digest("base64")}'`}`,
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob:",
    // Sound and video, and PDFs in the browser's own viewer: of what the page itself has read, and of no address.
    "media-src blob:",
    "frame-src blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")

const common = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }

/** How long a file is kept: for good where its name contains a digest of its content. */
const keeping = (path: string): string => {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable"
  return path === page ? "no-store" : "no-cache"
}

/** A file of the console, ready to be sent. */
const assetOf = (path: string, bytes: Uint8Array<ArrayBuffer>, policy = policyOf()) => ({
  bytes,
  zipped: extname(path) === ".woff2" ? undefined : new Uint8Array(gzipSync(bytes)),
  contentType: types[extname(path)] ?? "application/octet-stream",
  headers: {
    ...common,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    vary: "Accept-Encoding",
    "cache-control": keeping(path),
    ...(path === page ? { "content-security-policy": policy } : {})
  }
})

type Asset = ReturnType<typeof assetOf>

const read = async (directory: string): Promise<ReadonlyMap<string, Asset>> => {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile()
  )
  const assets = files.map(async ({ name, parentPath }) => {
    const file = join(parentPath, name)
    const path = file.slice(directory.length).replaceAll("\\", "/")
    return [path, assetOf(path, new Uint8Array(await readFile(file)))] as const
  })
  return new Map(await Promise.all(assets))
}

const answer = ({ bytes, contentType, headers, zipped }: Asset, request: Request): Response => {
  if (request.headers.get("if-none-match") === headers.etag)
    return new Response(null, { status: 304, headers })
  const isZipped = zipped !== undefined && /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")
  return new Response(isZipped ? zipped : bytes, {
    headers: {
      ...headers,
      "content-type": contentType,
      "content-length": String((isZipped ? zipped : bytes).byteLength),
      ...(isZipped ? { "content-encoding": "gzip" } : {})
    }
  })
}

/** Whether a path is that of a file, which never answers the page. */
const isFile = (path: string): boolean => path.startsWith("/assets/") || /\.[a-z0-9]+$/i.test(path)

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** Where a page finds what a module that says how the platform differs imports of the SDK. */
const sdk = { specifier: "@quartet/sdk/platform", path: "/quartet.sdk/platform.js" }

/** Stands for that in the page: what the module exports is what it says, and the console makes the value of it. */
const sdkText = "export const make = (definition) => definition\n"

/** Tells the page's modules where that is. */
const importMap = JSON.stringify({ imports: { [sdk.specifier]: sdk.path } })

/** The page with what it is told of the platform, and with the map of imports where it loads a module that says how that differs. */
const withConfiguration = (html: string, configuration: Configuration, map: string | undefined): string =>
  html.replace(
    "<head>",
    () =>
      `<head><meta name="${name}" content="${escaped(JSON.stringify(configuration))}" />${
        map === undefined ? "" : `<script type="importmap">${map}</script>`
      }`
  )

/**
 * The console as a handler of requests: `serve({ fallback: yield* Console.load(directory, Sandbox.configuration) })` puts it
 * beside the sandbox. `modules` are those of a `platformModule`, by their paths. Fails with ConsoleMissing if there is no console in the
 * directory.
 */
export const load = (
  directory: string,
  configuration: Configuration = {},
  modules: ReadonlyMap<string, string> = new Map()
): Effect.Effect<(request: Request) => Response, ConsoleMissing> =>
  Effect.gen(function* () {
    const missing = () => new ConsoleMissing({ directory })
    const assets = yield* Effect.tryPromise({ try: () => read(directory), catch: missing })
    const built = assets.get(page)
    if (built === undefined) return yield* missing()
    const map = configuration.platformModule === undefined ? undefined : importMap
    const html = withConfiguration(new TextDecoder().decode(built.bytes), configuration, map)
    const encoder = new TextEncoder()
    const index = assetOf(page, encoder.encode(html), policyOf(map))
    const served = new Map(assets)
    if (map !== undefined)
      for (const [path, text] of [...modules, [sdk.path, sdkText] as const])
        served.set(path, assetOf(path, encoder.encode(text)))
    return (request) => {
      const path = new URL(request.url).pathname
      if (request.method !== "GET" && request.method !== "HEAD")
        return new Response(null, { status: 405, headers: { ...common, allow: "GET, HEAD" } })
      const asset = path === page || !isFile(path) ? index : served.get(path)
      return asset === undefined
        ? new Response("Not found", {
            status: 404,
            headers: { ...common, "content-type": "text/plain; charset=utf-8" }
          })
        : answer(asset, request)
    }
  })
