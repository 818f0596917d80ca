/**
 * Tools for tests of programs that use Quartet: all of `@quartet/sandbox/fakes`, and `layer`, which is all four clients over one sandbox in
 * this process, with its control as `Platform`.
 */
export * from "./fakes.js"
export { type Clients, layer, type Options, Platform } from "./sandbox.js"
