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
import * as Effect from "effect/Effect"
import { TaggedError } from "@quartet/sdk/extend"

/** There is no built console in the directory. */
export class ConsoleMissing extends TaggedError("ConsoleMissing")<{ readonly directory: string }> {
  override get message(): string {
    return `there is no built console in ${this.directory}: run "npm run build:console"`
  }
}

/** Where `npm run build` puts the console, as seen from the sources or from the bundled command line. */
const builtConsole: string = fileURLToPath(
  new URL(import.meta.url.endsWith("/serve.ts") ? "../../dist/console" : "../console", import.meta.url)
)

/** The page, which every address of the console answers. */
const page = "/index.html"

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

const common = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" }

/** How long a file is kept: for good where its name contains a digest of its content. */
const keeping = (path: string): string => {
  if (path.startsWith("/assets/")) return "public, max-age=31536000, immutable"
  return path === page ? "no-store" : "no-cache"
}

/** A file of the console, ready to be sent. */
const assetOf = (path: string, bytes: Uint8Array) => ({
  bytes,
  zipped: extname(path) === ".woff2" ? undefined : gzipSync(bytes),
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

const answer = (
  { bytes, contentType, headers, zipped }: Asset,
  asked: Readonly<Record<string, string | undefined>>
): HttpServerResponse.HttpServerResponse => {
  if (asked["if-none-match"] === headers.etag) return HttpServerResponse.empty({ status: 304, headers })
  if (zipped === undefined || !/\bgzip\b/.test(asked["accept-encoding"] ?? ""))
    return HttpServerResponse.uint8Array(bytes, { contentType, headers })
  const encoded = { ...headers, "content-encoding": "gzip" }
  return HttpServerResponse.uint8Array(zipped, { contentType, headers: encoded })
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
    const index = assets.get(page)
    if (index === undefined) return yield* missing()
    return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers, method, url }) => {
      const path = url.split("?", 1)[0] ?? "/"
      if (method !== "GET" && method !== "HEAD")
        return HttpServerResponse.empty({ status: 405, headers: { ...common, allow: "GET, HEAD" } })
      const asset = assets.get(path) ?? (isFile(path) ? undefined : index)
      return asset === undefined
        ? HttpServerResponse.text("Not found", { status: 404, headers: common })
        : answer(asset, headers)
    })
  })
