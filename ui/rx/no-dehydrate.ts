/** What stands for `dehydrate.ts` in browsers, which write no page and so need no encoder of answers. */
import type { DehydratedState } from "./hydration.js"

export const dehydrateEntries = (): DehydratedState => []
