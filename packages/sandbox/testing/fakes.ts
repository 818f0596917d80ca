/**
 * What tests of programs that use Quartet need beside a platform. Nothing of it loads the sandbox's state:
 *
 * - `Script`: a transport that answers by script and records requests; `ChatScript` the same for the chat;
 * - `Stub`: clients whose calls are functions of the test; all others die, by name;
 * - `Drifts`: collects differences between answers and declarations;
 * - `Faults`: latency, lost answers, statuses, truncated and malformed bodies between a client and its transport;
 * - `arbitrary` and `fixture`: values of any schema; `token`: an access token with the permissions of the test.
 */
export * as ChatScript from "./chat-script.js"
export * as Drifts from "./drifts.js"
export * as Faults from "./faults.js"
export { arbitrary, fixture, type TokenClaims, token } from "./fixtures.js"
export * as Script from "./script.js"
export * as Stub from "./stub.js"
