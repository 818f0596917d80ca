/** The calls as make.mjs wrote them. */
import { readFileSync } from "node:fs"
import type { Call } from "../pages/calls.ts"

export const calls: ReadonlyArray<Call> = JSON.parse(readFileSync(".cache/calls.json", "utf8"))

/** The families, in their order. */
export const families: ReadonlyArray<string> = [...new Set(calls.map(({ family }) => family))]

/** An address on the site, wherever it is served. */
export const at = (path: string): string => `${import.meta.env.BASE_URL.replace(/\/$/, "")}/${path}`
