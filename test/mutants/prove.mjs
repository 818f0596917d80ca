// `npm run mutants:statements -- [--only 3.11,calls] [--again]`: see prove.ts, which is loaded as the tools are.
import { fileURLToPath } from "node:url"
import { importSource } from "../../tools/sources.mjs"

const module = await importSource(fileURLToPath(new URL("./prove.ts", import.meta.url)))
await module.main(process.argv.slice(2))
