/** Writes TypeScript modules from what a project says of its content: `generate`, and what `--check` compares. */
export { type Change, changes } from "./changes.js"
export { generate, isFieldless, lacks, type Models } from "./models.js"
export type { Face } from "./module.js"
