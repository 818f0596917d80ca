// `npm run generate`: writes every file that is derived from the operations. With --check it writes nothing, names the
// files that are stale, and fails where there is one.

import { fileURLToPath } from "node:url"
import { runnerImport } from "vite"

await runnerImport(fileURLToPath(new URL("./generate/main.ts", import.meta.url)))
