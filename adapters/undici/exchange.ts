/** One exchange over undici's dispatch interface, which costs half of what its fetch does. */
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { BoundedBytes } from "../../core/ports/bounded-bytes.js"
import type { AnyRequest, HeaderReader, Outcome, Service } from "../../core/ports/transport.js"
import { hasNoBody, unread, withoutBody } from "../http/no-body.js"
import { failed } from "../http/node-errors.js"
import * as Body from "./body.js"
import * as Form from "./form.js"

const headerOf = (headers: IncomingHttpHeaders): HeaderReader => {
  const read = (name: string): string | undefined => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    return Array.isArray(value) ? value.join(name === "set-cookie" ? "\n" : ", ") : value
  }
  return Object.assign(read, {
    all: () => Object.keys(headers).map((name) => [name, read(name) ?? ""] as const)
  })
}

/** As Node's fetch names itself: some firewalls refuse requests without a name. */
const constant = { "user-agent": "node" }

/** The accepted encodings; a stream is requested without one. */
const encodings = { bytes: { "accept-encoding": "gzip, br" }, stream: { "accept-encoding": "identity" } }

/** What a dispatcher has to be. */
export const dispatcherRule = "must be a Dispatcher of undici 7 or newer, such as new Agent({ … })"

/** Receives one answer. `controller` is set when the request is about to be written. */
class Handler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private readonly received: BoundedBytes
  /** Where the bytes go of a stream, or of a body that has to be decoded. */
  private sink: Body.Sink | undefined
  private isOver = false

  constructor(
    private readonly answers: AnyRequest["answer"],
    private readonly method: AnyRequest["method"],
    private readonly maxBytes: number,
    private readonly isPlain: boolean,
    private readonly mayBegin: AnyRequest["mayBegin"],
    private settle: (outcome: Outcome) => void
  ) {
    this.received = new BoundedBytes(maxBytes)
  }

  mayBeSent(): boolean {
    return this.controller !== undefined
  }

  /** Whether anything may have been sent. */
  abandon(): boolean {
    if (!this.isOver) {
      this.isOver = true
      // Undici's queue keeps this handler, and so would the whole call be kept.
      this.settle = () => undefined
      this.controller?.abort(new Error("abandoned"))
    }
    return this.mayBeSent()
  }

  private end(outcome: Outcome): void {
    if (this.isOver) return
    this.isOver = true
    this.settle(outcome)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.isOver && this.mayBegin?.() === false) {
      const cause = new Error("it may no longer be sent")
      this.end({ _tag: "Failed", reason: "Refused", sent: false, cause })
    }
    this.controller = controller
    if (!this.isOver) return
    const abandoned = new Error("abandoned")
    // An error costs the request alone, and `abort` its connection too.
    if (this.isPlain) throw abandoned
    controller.abort(abandoned)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders
  ): void {
    if (status < 200) return
    this.status = status
    this.headers = headers
    const header = headerOf(headers)
    const isStream = this.answers === "stream" && status <= 299
    // Undici refuses one that states a length.
    if (hasNoBody(status, this.method)) {
      return this.end(
        isStream
          ? { _tag: "Streaming", status, header, body: new Blob().stream() }
          : withoutBody(status, header)
      )
    }
    const encoding = header("content-encoding")
    if (isStream) {
      const receiver = Body.receive(controller, encoding)
      this.sink = receiver
      return this.end({ _tag: "Streaming", status, header, body: receiver.body })
    }
    const codings = encoding === undefined ? [] : Body.codingsOf(encoding)
    if (codings.length > 0) this.decode(Body.decoder(Body.sourceOf(controller), codings))
    else if (Number(headers["content-length"]) > this.maxBytes) this.refuse(Body.sourceOf(controller))
  }

  private decode({ into, output }: ReturnType<typeof Body.decoder>): void {
    this.sink = into({
      push: (chunk) => {
        if (!this.received.push(chunk)) this.refuse(output)
      },
      end: () => this.answer(),
      fail: (cause) => this.lose({ _tag: "Failed", reason: "Protocol", sent: true, cause })
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.sink !== undefined) return this.sink.push(chunk)
    if (!this.received.push(chunk)) this.refuse(Body.sourceOf(controller))
  }

  private refuse(source: Body.Source): void {
    this.end({ _tag: "TooLarge", status: this.status, header: headerOf(this.headers) })
    source.cancel()
  }

  onResponseEnd(): void {
    if (this.sink !== undefined) return this.sink.end()
    this.answer()
  }

  private answer(): void {
    const { headers, received, status } = this
    this.end({ _tag: "Answered", status, header: headerOf(headers), body: received.whole() })
  }

  /** The answer, if any has begun, breaks off. */
  lose(failure: Outcome): void {
    this.end(unread(this.status, headerOf(this.headers), failure))
  }

  // The interface of undici 6, which calls one of these before it sends anything. Undici 7 and 8 call neither.
  onConnect(abort: (error: Error) => void): void {
    this.onError()
    abort(new Error(dispatcherRule))
  }

  onError(): void {
    this.end({
      _tag: "Failed",
      reason: "Unknown",
      sent: false,
      cause: new Error(`the dispatcher ${dispatcherRule}`)
    })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.lose(failed(error, this.mayBeSent()))
    this.sink?.fail(error)
  }
}

/**
 * Starts exchanges on a dispatcher. `isPlain`: on connections of undici's own and nothing else, such as interceptors or
 * mocks, which may not catch what a handler throws.
 */
export const exchange =
  (dispatcher: Dispatcher, isPlain: boolean): NonNullable<Service["stream"]> =>
  (request, settle) => {
    const form = request.body?._tag === "Form" ? Form.encode(request.body.parts, request.onUpload) : undefined
    const { answer, maxBytes, mayBegin, method } = request
    const handler = new Handler(answer, method, maxBytes, isPlain, mayBegin, (outcome) => {
      // Without a connection, or after an early answer, the rest of the request must be cancelled here.
      form?.end()
      settle((outcome._tag === "Failed" ? form?.unreadable() : undefined) ?? outcome)
    })
    const options: Dispatcher.DispatchOptions = {
      origin: request.origin,
      path: request.path,
      method: request.method,
      headers: { ...constant, ...request.headers, ...encodings[request.answer], ...form?.headers },
      body: request.body?._tag === "Json" ? request.body.text : (form?.body ?? null),
      // The kernel applies one deadline to everything.
      headersTimeout: 0,
      bodyTimeout: 0
    }
    try {
      dispatcher.dispatch(options, handler)
    } catch (cause) {
      // An interceptor of the program's own, or of undici 6, may throw.
      handler.lose(failed(cause, handler.mayBeSent()))
    }
    return () => {
      form?.end()
      const mayBeSent = handler.abandon()
      // It stays in undici's queue until a connection is free.
      if (!mayBeSent) options.body = null
      return mayBeSent
    }
  }
