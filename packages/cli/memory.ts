/** How V8 deals with memory in a process of the command line. */
import { setFlagsFromString } from "node:v8"

/**
 * What a run of many items needs at once is little, and what each of its calls leaves behind is soon garbage. By itself V8 lets its heap grow to
 * several times of what lives there before it collects; the first flag has it collect once a third has come to it. The others have WebAssembly,
 * such as the parser of HTTP, compiled once: the second time takes some 30 MB while it lasts.
 */
const flags = ["--heap-growing-percent=30", "--no-wasm-dynamic-tiering", "--no-wasm-tier-up"]

/** Has V8 prefer less memory to speed, for the rest of this process: before much is loaded, so that the heap is small from the beginning. */
export const spareMemory = (): void => {
  try {
    for (const flag of flags) setFlagsFromString(flag)
  } catch {
    // Other engines of JavaScript have no such flags.
  }
}
