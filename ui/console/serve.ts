/**
 * Serves the built console on Node: files with their types, cached for a year if their names contain a digest, the page
 * for every other address, and a policy that lets nothing run but the console's own files.
 */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** There is no built console in the directory. */
export class ConsoleMissing extends Data.TaggedError("ConsoleMissing")<{ readonly directory: string }> {
  override get message(): string {
    return `there is no built console in ${this.directory}: run "npm run build:console"`
  }
}

/** Where `npm run build` puts the console, as seen from the sources or from `dist/ui/console`. */
const builtConsole: string = fileURLToPath(
  new URL(import.meta.url.includes("/dist/ui/") ? "../../console" : "../../dist/console", import.meta.url)
)

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2"
}

/** What a page may do: load the console's own files, call its own origin, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'"
].join("; ")

const zippable = new Set([".css", ".js", ".json", ".svg"])

/** A file of the console, ready to be sent. */
const assetOf = (path: string, bytes: Uint8Array) => ({
  bytes,
  zipped: zippable.has(extname(path)) ? gzipSync(bytes) : undefined,
  type: types[extname(path)] ?? "application/octet-stream",
  etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
  // The names of these contain a digest of their content.
  isFixed: path.startsWith("/assets/")
})

type Asset = ReturnType<typeof assetOf>

const read = async (directory: string): Promise<ReadonlyMap<string, Asset>> => {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile()
  )
  const assets = files.map(async ({ name, parentPath }) => {
    const file = join(parentPath, name)
    const path = file.slice(directory.length).replaceAll("\\", "/")
    return [path, assetOf(path, await readFile(file))] as const
  })
  return new Map(await Promise.all(assets))
}

const common = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }

const page = (html: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { ...common, "cache-control": "no-store", "content-security-policy": policy }
  })

const answer = (
  asset: Asset,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    ...common,
    etag: asset.etag,
    vary: "Accept-Encoding",
    "cache-control": asset.isFixed ? "public, max-age=31536000, immutable" : "no-cache"
  }
  if (request.headers["if-none-match"] === asset.etag)
    return HttpServerResponse.empty({ status: 304, headers })
  const zipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "") ? asset.zipped : undefined
  return HttpServerResponse.uint8Array(zipped ?? asset.bytes, {
    contentType: asset.type,
    headers: { ...headers, ...(zipped && { "content-encoding": "gzip" }) }
  })
}

/** Whether a path is that of a file, which never answers the page. */
const isFile = (path: string): boolean => path.startsWith("/assets/") || /\.[a-z0-9]+$/i.test(path)

/**
 * The console as an HTTP application: `serve({ fallback: yield* Console.load() })` puts it beside the sandbox. Fails
 * with ConsoleMissing if it has not been built.
 */
export const load = (directory: string = builtConsole): Effect.Effect<HttpApp.Default, ConsoleMissing> =>
  Effect.gen(function* () {
    const missing = () => new ConsoleMissing({ directory })
    const assets = yield* Effect.tryPromise({ try: () => read(directory), catch: missing })
    const index = assets.get("/index.html")
    if (index === undefined) return yield* missing()
    const html = new TextDecoder().decode(index.bytes)
    return Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const path = request.url.split("?", 1)[0] ?? "/"
      if (request.method !== "GET" && request.method !== "HEAD") {
        return HttpServerResponse.empty({ status: 405, headers: { ...common, allow: "GET, HEAD" } })
      }
      const asset = path === "/index.html" ? undefined : assets.get(path)
      if (asset !== undefined) return answer(asset, request)
      if (isFile(path)) return HttpServerResponse.text("Not found", { status: 404, headers: common })
      return page(html)
    })
  })
