/**
 * Messages on their way out: each waits for a connection and then for the server's yes, under an id that the client
 * made. What was on the wire when a connection ended is put on the next one under the same id.
 */
import * as Either from "effect/Either"
import type { CredentialsProvider } from "../kernel/dispatch/credentials.js"
import { OutcomeUnknown } from "../kernel/errors/errors.js"
import type { Connection } from "../ports/chat-socket.js"
import type { Reader } from "./decoding.js"
import { ChatError, type SendError, shown } from "./errors.js"
import type { Figures } from "./figures.js"
import type { Message, Sent } from "./model.js"
import type { Policy } from "./policy.js"

type Answer = Either.Either<Sent, SendError>

/** One message on its way. */
export interface Entry {
  readonly clientId: string
  /** The JSON text of what is sent: a copy, which the caller's later changes do not reach. */
  readonly text: string
  readonly done: (answer: Answer) => void
  emissions: number
}

export class Outbox {
  /** In the order of sending. */
  private readonly entries = new Map<string, Entry>()
  private connection: Connection | undefined

  constructor(
    private readonly policy: Policy,
    private readonly figures: Figures,
    private readonly credentialsProvider: Pick<CredentialsProvider, "secrets">,
    private readonly reader: Reader
  ) {}

  has(clientId: string): boolean {
    return this.entries.has(clientId)
  }

  /** Whether another message would be one too many. */
  get isFull(): boolean {
    return this.entries.size >= this.policy.outbox
  }

  /** Takes a message and puts it on the wire, where there is a connection. */
  add(entry: Entry): void {
    this.entries.set(entry.clientId, entry)
    if (this.connection !== undefined) this.emit(entry, this.connection)
  }

  /** Gives a message up. */
  remove(entry: Entry): void {
    if (this.entries.get(entry.clientId) === entry) this.entries.delete(entry.clientId)
  }

  /** Puts everything that waits on a connection, in the order of sending. */
  attach(connection: Connection): void {
    this.connection = connection
    for (const entry of [...this.entries.values()]) {
      if (this.connection !== connection) return
      this.emit(entry, connection)
    }
  }

  detach(): void {
    this.connection = undefined
  }

  /** A connection that has just ended takes nothing: the message waits for the next one. */
  private emit(entry: Entry, connection: Connection): void {
    if (!connection.connected()) return
    if (entry.emissions >= this.policy.emissions) {
      this.finish(entry, Either.left(lost(entry, "Network")))
      return
    }
    entry.emissions += 1
    this.figures.emitted += 1
    const payload: unknown = JSON.parse(entry.text)
    connection.emit("chat", payload, (answer) => this.acknowledge(entry, answer))
  }

  private acknowledge(entry: Entry, answer: unknown): void {
    const said = this.reader.acknowledgement(answer)
    const { clientId } = entry
    this.finish(
      entry,
      Either.isRight(said)
        ? Either.right({ clientId, message: said.right })
        : Either.left(this.rejected(clientId, said.left.message))
    )
  }

  private rejected(clientId: string, text: string): ChatError {
    return new ChatError({
      operation: "chat.send",
      reason: "Rejected",
      clientId,
      detail: `the platform refused the message: ${shown(text, this.credentialsProvider)}`
    })
  }

  private finish(entry: Entry, answer: Answer): void {
    if (this.entries.get(entry.clientId) !== entry) return
    this.entries.delete(entry.clientId)
    if (Either.isRight(answer)) this.figures.sent += 1
    entry.done(answer)
  }

  /** The platform told a message: if it is one of these, it was taken. */
  settle(message: Message): void {
    const { clientId } = message
    const entry = typeof clientId === "string" ? this.entries.get(clientId) : undefined
    if (entry !== undefined && entry.emissions > 0)
      this.finish(entry, Either.right({ clientId: entry.clientId, message }))
  }

  /** Ends all messages with the chat: those that were on the wire may have been taken. */
  close(end: ChatError): void {
    this.connection = undefined
    for (const entry of [...this.entries.values()]) {
      const answer = entry.emissions === 0 ? unsent(entry, end) : lost(entry, "Network")
      this.finish(entry, Either.left(answer))
    }
  }
}

const unsent = ({ clientId }: Entry, { cause, detail, reason }: ChatError): ChatError =>
  new ChatError({
    operation: "chat.send",
    reason,
    detail,
    clientId,
    ...(cause === undefined ? {} : { cause })
  })

/** The answer to a message that was on the wire was lost. */
export const lost = (entry: Entry, reason: "Network" | "Deadline"): OutcomeUnknown =>
  new OutcomeUnknown({ operation: "chat.send", reason, attempts: entry.emissions })
