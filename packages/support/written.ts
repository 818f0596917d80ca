/** Modules that the package writes, as programs have them: loaded, and in the formatter's eyes. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Recorded as Answers } from "@quartet/sdk/extend"
import * as PublicContent from "@quartet/sdk/public/content"
import * as OwnSchema from "@quartet/sdk/schema"
import * as Schema from "effect/Schema"
import { transformSync } from "esbuild"
import { root } from "./files.js"

const modules: Readonly<Record<string, unknown>> = {
  "effect/Schema": Schema,
  "@quartet/sdk/schema": OwnSchema,
  "@quartet/sdk/answers": Answers,
  "@quartet/sdk/public/content": PublicContent
}

/** What a written module exports. */
export const load = (text: string): Readonly<Record<string, unknown>> => {
  const { code } = transformSync(text, { loader: "ts", format: "cjs" })
  const module = { exports: {} }
  new Function("require", "module", "exports", code)((name: string) => modules[name], module, module.exports)
  return module.exports
}

/** A text as Prettier formats it by itself, by a formatter that lays out alike. */
export const formatted = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "quartet-format-"))
  const formatter = { indentStyle: "space", indentWidth: 2, lineWidth: 80 }
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ formatter }))
  const file = join(folder, "module.ts")
  writeFileSync(file, text)
  try {
    execFileSync(
      process.execPath,
      [
        join(root, "node_modules/@biomejs/biome/bin/biome"),
        ...["format", "--write", "--config-path", folder, file]
      ],
      { stdio: "ignore" }
    )
    return readFileSync(file, "utf8")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
