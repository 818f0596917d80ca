import { importSource } from "../../tools/sources.mjs"

const module = await importSource("test/mutants/prove.ts")
await module.main(process.argv.slice(2))
