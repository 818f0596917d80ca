/** The calls and the modules as make.mjs wrote them. */
import { readFileSync } from "node:fs"
import type { Call } from "../../tools/pages/calls.ts"
import type { Module } from "../../tools/pages/reference.ts"

export const calls: ReadonlyArray<Call> = JSON.parse(readFileSync(".cache/calls.json", "utf8"))

/** The modules that programs import. */
export const modules: ReadonlyArray<Pick<Module, "id" | "title">> = JSON.parse(
  readFileSync(".cache/modules.json", "utf8")
)

/** The families, in their order. */
export const families: ReadonlyArray<string> = [...new Set(calls.map(({ family }) => family))]

/** An address on the site, wherever it is served. */
export const at = (path: string): string => `${import.meta.env.BASE_URL.replace(/\/$/, "")}/${path}`
