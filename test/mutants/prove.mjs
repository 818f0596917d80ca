// `npm run mutants:statements -- [--only 3.11,calls] [--again]`: see prove.ts, which is loaded as the tools are.
import { fileURLToPath } from "node:url"
import { importSource } from "../../tools/sources.mjs"

const module = await importSource("test/mutants/prove.ts")
await module.main(process.argv.slice(2))
