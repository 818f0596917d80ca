/**
 * The mutants: faults of the kind that a change may bring in without anyone's noticing, each with the tests that have to
 * notice it. A fault that slips through is worth a mutant here, beside the test that would have found it.
 */

export interface Mutant {
  /** What the changed sources do, as a sentence without its end. */
  readonly name: string
  readonly file: string
  /** A text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** The file of tests, or `torture` and the name of a line. */
  readonly killedBy: string
}

const execution = "core/kernel/dispatch/execution.ts"
const credentialsProvider = "core/kernel/session/credentials-provider.ts"
const sessionState = "core/kernel/session/state.ts"
const inbox = "core/chat/inbox.ts"
const connection = "core/chat/connection.ts"
const undici = "adapters/undici/exchange.ts"
const fetch = "adapters/fetch/index.ts"
const forms = "core/kernel/redaction/secret-forms.ts"
const lifetime = "test/core/kernel/dispatch/lifetime.test.ts"
const credentials = "test/core/kernel/redaction/mask.test.ts"

const kernel: ReadonlyArray<Mutant> = [
  {
    name: "one operation is never sent",
    file: execution,
    find: "? context.transport.start(request, settled)",
    replace: '? endpoint.name === "boxes.get" ? () => undefined : context.transport.start(request, settled)',
    killedBy: "torture calls"
  },
  {
    name: "nothing is repeated",
    file: execution,
    find: "this.attempt < policy.attempts",
    replace: "this.attempt < 1",
    killedBy: "torture calls"
  },
  {
    name: "a cancelled call keeps its connection",
    file: execution,
    find: "      abandon?.()\n      // A caller that left",
    replace: "      // A caller that left",
    killedBy: "torture cancels"
  },
  {
    name: "a lost answer is forgotten after the next attempt",
    file: execution,
    find: "this.doubt ??= endpoint.isWrite ? doubtOf(error) : undefined",
    replace: "this.doubt = undefined",
    killedBy: "torture refunds"
  },
  {
    name: "a call is not left in the pause before its repetition",
    file: execution,
    find: "return Effect.zipRight(slept, again)",
    replace: "return Effect.uninterruptible(Effect.zipRight(slept, again))",
    killedBy: "torture cancels"
  },
  {
    name: "a fault of the platform is forgotten after the next attempt",
    file: execution,
    find: 'return error._tag === "ServerFault" && error.status !== 501 ? "Server" : undefined',
    replace: "return undefined",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "a 429 or 4xx hides that a 5xx came before it",
    file: execution,
    find: 'if (doubt === "Server" && doubtOf(error) === "Server") return error',
    replace: 'if (doubt === "Server") return error',
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "a write without a key is repeated",
    file: execution,
    find: "(!endpoint.isWrite || idempotencyKey !== undefined) && this.attempt",
    replace: "this.attempt",
    killedBy: "torture refunds"
  },
  {
    name: "each attempt has the whole deadline",
    file: execution,
    find: "deadlines.after(this.clock, this.left(), () => {",
    replace: "deadlines.after(this.clock, this.encoded.policy.deadline, () => {",
    killedBy: "test/core/kernel/dispatch/deadline.test.ts"
  },
  {
    name: "a call whose deadline passed keeps its connection",
    file: execution,
    find: "      done(Exit.fail(this.late()))\n      abandon?.()",
    replace: "      done(Exit.fail(this.late()))",
    killedBy: "test/core/kernel/dispatch/deadline.test.ts"
  },
  {
    name: "a late write is said not to have been done",
    file: execution,
    find: "return endpoint.isWrite && this.attempt > 0",
    replace: "return endpoint.isWrite && this.attempt > 99",
    killedBy: "torture refunds"
  },
  {
    name: "credentials are renewed for as long as they are refused",
    file: execution,
    find: "this.isRenewed = true",
    replace: "this.isRenewed = false",
    killedBy: "test/core/kernel/dispatch/credentials.test.ts"
  },
  {
    name: "Retry-After is ignored",
    file: execution,
    find: "const pause = asked ?? chance *",
    replace: "const pause = chance *",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "a Retry-After of a day is waited out",
    file: execution,
    find: "asked > policy.longestRetryAfter",
    replace: "asked > 1e9",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "repetitions cost nothing",
    file: execution,
    find: " || !budget.take(cost)",
    replace: "",
    killedBy: "torture outage"
  },
  {
    name: "a repetition that succeeds earns tokens",
    file: execution,
    find: 'if (exit._tag === "Success" && this.attempt === 1 && ',
    replace: 'if (exit._tag === "Success" && ',
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "the body of a download is left open by a caller who has gone",
    file: execution,
    find: "opened?.cancel().catch(() => undefined)",
    replace: "opened?.toString()",
    killedBy: "test/core/kernel/dispatch/lifetime.test.ts"
  },
  {
    name: "a call that has its answer is kept by its client",
    file: execution,
    find: "        leave()\n        resume(",
    replace: "        resume(",
    killedBy: lifetime
  },
  {
    name: "a call whose caller left is kept by its client",
    file: execution,
    find: "        leave()\n        cancel()",
    replace: "        cancel()",
    killedBy: lifetime
  },
  {
    name: "the deadline of a call that has its answer is kept",
    file: execution,
    find: '      forget()\n      if (outcome._tag === "Streaming")',
    replace: '      if (outcome._tag === "Streaming")',
    killedBy: lifetime
  },
  {
    name: "the deadline of a call whose caller left is kept",
    file: execution,
    find: "      forget()\n      abandon?.()",
    replace: "      abandon?.()",
    killedBy: lifetime
  },
  {
    name: "pauses do not grow",
    file: "core/kernel/dispatch/retry.ts",
    find: "policy.pause * 2 ** (next - 2)",
    replace: "policy.pause",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "the budget of a client is never spent",
    file: "core/kernel/dispatch/retry.ts",
    find: "    this.left -= cost\n",
    replace: "",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "a call that the platform does not know is repeated",
    file: "core/kernel/dispatch/retry.ts",
    find: "error.status !== 501",
    replace: "error.status !== 599",
    killedBy: "test/core/kernel/dispatch/retry.test.ts"
  },
  {
    name: "the platform's words are shown unmasked",
    file: "core/kernel/dispatch/response.ts",
    find: "mask(text, subject.secrets())",
    replace: "text",
    killedBy: "torture secrets"
  },
  {
    name: "the field that a refusal names is shown unmasked",
    file: "core/kernel/dispatch/response.ts",
    find: "field: shown(field, subject) }",
    replace: "field }",
    killedBy: "torture secrets"
  },
  {
    name: "a redirect is taken for a refusal",
    file: "core/kernel/dispatch/response.ts",
    find: "if (status < 400) {",
    replace: "if (status < 300) {",
    killedBy: "test/core/kernel/dispatch/response.test.ts"
  },
  {
    name: "a write that never left is said to be in doubt",
    file: "core/kernel/dispatch/response.ts",
    find: "return subject.isWrite && outcome.sent",
    replace: "return subject.isWrite",
    killedBy: "torture calls"
  },
  {
    name: "a connection that was reset is called one that timed out",
    file: "adapters/http/node-errors.ts",
    find: 'UND_ERR_SOCKET: "Reset"',
    replace: 'UND_ERR_SOCKET: "Timeout"',
    killedBy: "torture calls"
  },
  {
    name: "a streamed upload whose answer was lost is said to be late",
    file: "core/kernel/dispatch/execution.ts",
    find: "if (!isWhole(this.encoded)) return Effect.fail(error)",
    replace:
      'if (!isWhole(this.encoded)) return Effect.fail(error._tag === "OutcomeUnknown" ? this.late() : error)',
    killedBy: "torture calls"
  },
  {
    name: "what one deadline throws stops the others",
    file: "core/kernel/dispatch/lifetime.ts",
    find: "Either.try(() => this.fire(item))",
    replace: "this.fire(item)",
    killedBy: "test/core/kernel/dispatch/deadline.test.ts"
  },
  {
    name: "every caller starts shared work anew",
    file: "core/kernel/session/single-flight.ts",
    find: "return isFirst ? Effect.zipRight(start(joined), wait) : wait",
    replace: "return isFirst || joined.waiting > 0 ? Effect.zipRight(start(joined), wait) : wait",
    killedBy: "test/core/kernel/session/single-flight.test.ts"
  },
  {
    name: "a value that was invalidated while it was read is kept",
    file: "core/kernel/session/on-demand.ts",
    find: "  const make = () => {\n    const kept: { value?: { readonly read: A } } = {}\n",
    replace:
      "  const kept: { value?: { readonly read: A } } = {}\n  const make = () => {\n    delete kept.value\n",
    killedBy: "test/core/kernel/session/on-demand.test.ts"
  },
  {
    name: "a payload that holds itself is walked",
    file: "core/kernel/codec/json.ts",
    find: 'if (isAbove(value, above)) return refusal(field, "must not hold itself")',
    replace: 'if (isAbove(value, undefined)) return refusal(field, "must not hold itself")',
    killedBy: "test/core/kernel/codec/json.test.ts"
  }
]

const secrets: ReadonlyArray<Mutant> = [
  {
    name: "secrets are shown in small hexadecimal",
    file: forms,
    find: "    hexadecimal,\n",
    replace: "",
    killedBy: credentials
  },
  {
    name: "secrets are shown in capital hexadecimal",
    file: forms,
    find: "    hexadecimal.toUpperCase(),\n",
    replace: "",
    killedBy: credentials
  },
  {
    name: "secrets are shown in base64",
    file: forms,
    find: "    ...sextets,\n",
    replace: "",
    killedBy: credentials
  },
  {
    name: "secrets are shown in base64 at one of its three offsets",
    file: forms,
    find: "[0, 1, 2].map",
    replace: "[0, 1].map",
    killedBy: credentials
  },
  {
    name: "secrets are shown in base64url",
    file: forms,
    find: '.replaceAll("+", "-").replaceAll("/", "_")',
    replace: "",
    killedBy: credentials
  },
  {
    name: "secrets are shown with escapes within escapes",
    file: "core/kernel/redaction/readings.ts",
    find: "const deepest = 3",
    replace: "const deepest = 1",
    killedBy: credentials
  },
  {
    name: "secrets are shown in HTML's decimal entities",
    file: "core/kernel/redaction/readings.ts",
    find: "if (decimal !== undefined) return",
    replace: "if (decimal === undefined) return",
    killedBy: credentials
  },
  {
    name: "secrets are shown in HTML's hexadecimal entities",
    file: "core/kernel/redaction/readings.ts",
    find: "#x0*([\\da-f]{1,6})",
    replace: "#x00([\\da-f]{1,6})",
    killedBy: credentials
  },
  {
    name: "secrets are shown in HTML's named entities",
    file: "core/kernel/redaction/readings.ts",
    find: "(byName.get(name) ?? byName.get(name.toLowerCase()))",
    replace: "undefined",
    killedBy: credentials
  }
]

const sessions: ReadonlyArray<Mutant> = [
  {
    name: "a failed sign-in is tried again at once",
    file: sessionState,
    find: "failure !== undefined && time - failure.at < cooldown ?",
    replace: "failure !== undefined && time < failure.at ?",
    killedBy: "test/core/kernel/session/credentials-provider.test.ts"
  },
  {
    name: "every call that is refused signs in for itself",
    file: credentialsProvider,
    find: "return credentials === undefined ? obtain : Effect.succeed(credentials)",
    replace: "return credentials === undefined ? obtaining(state.signOuts) : Effect.succeed(credentials)",
    killedBy: "torture sign-ins"
  },
  {
    name: "a refusal that comes after the renewal ends the new session",
    file: sessionState,
    find: "if (session?.credentials !== credentials || isHopeless(",
    replace: "if (session === undefined || isHopeless(",
    killedBy: "torture sign-ins"
  },
  {
    name: "a call under way renews a session that was signed out",
    file: credentialsProvider,
    find: "      if (askedAfter.get(refused) !== state.signOuts) return Effect.succeed(undefined)\n",
    replace: "",
    killedBy: "test/core/kernel/session/sign-out.test.ts"
  },
  {
    name: "a sign-in under way saves its session after a sign-out",
    file: credentialsProvider,
    find: "store.save(stored, () => state.signOuts === signOuts)",
    replace: "store.save(stored, () => true)",
    killedBy: "test/core/kernel/session/sign-out.test.ts"
  },
  {
    name: "a sign-in under way brings the session back after a sign-out",
    file: sessionState,
    find: "  if (signOuts !== state.signOuts) return state\n  const failure =",
    replace: "  const failure =",
    killedBy: "test/core/kernel/session/sign-out.test.ts"
  },
  {
    name: "a session that has ended is still sent",
    file: sessionState,
    find: "session !== undefined && time < session.expiration.expiresAt ? session.credentials : undefined",
    replace: "session?.credentials",
    killedBy: "test/core/kernel/session/renewal.test.ts"
  },
  {
    name: "a password that was refused ahead of time is tried again and again",
    file: sessionState,
    find: "? Number.POSITIVE_INFINITY\n    : Math.max",
    replace: "? 0\n    : Math.max",
    killedBy: "test/core/kernel/session/renewal.test.ts"
  },
  {
    name: "a session is not renewed ahead of its end",
    file: "core/kernel/session/admin-session.ts",
    find: "const margin = Math.min(longestMargin, left / 10)",
    replace: "const margin = 0",
    killedBy: "test/core/kernel/session/renewal.test.ts"
  }
]

const chat: ReadonlyArray<Mutant> = [
  {
    name: "a message is put on the wire without end",
    file: "core/chat/outbox.ts",
    find: "if (attempts >= emissions)",
    replace: "if (attempts >= 1e9)",
    killedBy: "test/core/chat/outbox.test.ts"
  },
  {
    name: "a message that the platform tells back is not taken for sent",
    file: "core/chat/outbox.ts",
    find: "if (attempts === 0) return [state, []]",
    replace: "if (attempts < 1e9) return [state, []]",
    killedBy: "test/core/chat/outbox.test.ts"
  },
  {
    name: "what waits is not sent over the next connection",
    file: connection,
    find: "      outbox.attach(link.connection)\n",
    replace: "      if (isFirst) outbox.attach(link.connection)\n",
    killedBy: "test/core/chat/outbox.test.ts"
  },
  {
    name: "a message that was told is told again",
    file: inbox,
    find: 'if (event.news === "told") return',
    replace: 'if (event.news === "never") return',
    killedBy: "test/core/chat/receiving.test.ts"
  },
  {
    name: "what comes in while a gap is closed is told before what was missed",
    file: inbox,
    find: 'if (state.isComplete && !event.isGapFull) return [state, ["Hold"]]',
    replace: 'if (state.isComplete && !event.isGapFull) return [state, ["Tell"]]',
    killedBy: "torture chat"
  },
  {
    name: "a slow reader is given more than its buffer holds",
    file: inbox,
    find: 'return this.policy.overflow === "drop-oldest" || this.events.takes()',
    replace: "return true",
    killedBy: "test/core/chat/backpressure.test.ts"
  },
  {
    name: "nobody looks for what a lost connection missed",
    file: connection,
    find: "        inbox.openGap()\n        const millis",
    replace: "        const millis",
    killedBy: "torture chat"
  },
  {
    name: "the pauses between a chat's attempts to reconnect do not grow",
    file: connection,
    find: "pauseBefore(policy, action.failures, chance)",
    replace: "pauseBefore(policy, 0, chance)",
    killedBy: "test/core/chat/reconnecting.test.ts"
  },
  {
    name: "a refused handshake is repeated with the same credentials",
    file: connection,
    find: 'renewal: { _tag: "Due", credentials, trouble }',
    replace: 'renewal: { _tag: "Done" }',
    killedBy: "test/core/chat/connecting.test.ts"
  }
]

const transports: ReadonlyArray<Mutant> = [
  {
    name: "undici: an abandoned exchange goes on",
    file: undici,
    find: '    this.isOver = true\n    this.controller?.abort(new Error("abandoned"))',
    replace: "    this.isOver = true",
    killedBy: "torture cancels"
  },
  {
    name: "undici: an answer may be larger than it may",
    file: undici,
    find: "if (!this.received.push(chunk)) this.refuse(controller)",
    replace: "this.received.push(chunk)",
    killedBy: "test/contracts/transport.test.ts"
  },
  {
    name: "undici: a broken connection is not told",
    file: undici,
    find: "else this.end(failed(error, this.controller !== undefined))",
    replace: "else failed(error, this.controller !== undefined)",
    killedBy: "torture calls"
  },
  {
    name: "fetch: an abandoned exchange goes on",
    file: fetch,
    find: "      isOver = true\n      abort.abort()",
    replace: "      isOver = true",
    killedBy: "torture cancels"
  },
  {
    name: "fetch: redirects are followed",
    file: fetch,
    find: 'redirect: "manual"',
    replace: 'redirect: "follow"',
    killedBy: "torture hostile"
  }
]

export const mutants: ReadonlyArray<Mutant> = [...kernel, ...secrets, ...sessions, ...chat, ...transports]
