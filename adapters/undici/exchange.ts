/** One exchange over undici's dispatch interface, which costs half of what its fetch does. */
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import type { AnyRequest, Outcome, Service } from "../../core/ports/transport.js"
import { BoundedBytes } from "../http/bounded-bytes.js"
import { failed } from "../http/node-errors.js"
import * as Body from "./body.js"
import * as Form from "./form.js"

const headerOf =
  (headers: IncomingHttpHeaders) =>
  (name: string): string | undefined => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined
    return Array.isArray(value) ? value.join(", ") : value
  }

/** As Node's fetch names itself: some firewalls refuse requests without a name. */
const constant = { "user-agent": "node" }

/** The accepted encodings; a stream is requested without one. */
const encodings = { bytes: { "accept-encoding": "gzip, br" }, stream: { "accept-encoding": "identity" } }

/** Receives one answer. `controller` is set when the request is about to be written. */
class Handler implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private readonly received: BoundedBytes
  private stream: Body.Receiver | undefined
  private isOver = false

  constructor(
    private readonly answers: AnyRequest["answer"],
    private readonly maxBytes: number,
    private readonly isPlain: boolean,
    private settle: (outcome: Outcome) => void
  ) {
    this.received = new BoundedBytes(maxBytes)
  }

  /** Whether anything may have been sent. */
  abandon(): boolean {
    if (!this.isOver) {
      this.isOver = true
      // Undici's queue keeps this handler, and so would the whole call be kept.
      this.settle = () => undefined
      this.controller?.abort(new Error("abandoned"))
    }
    return this.controller !== undefined
  }

  private end(outcome: Outcome): void {
    if (this.isOver) return
    this.isOver = true
    this.settle(outcome)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
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
    if (this.answers !== "stream" || status > 299) {
      if (Number(headers["content-length"]) > this.maxBytes) this.refuse(controller)
      return
    }
    const header = headerOf(headers)
    this.stream = Body.receive(controller, header("content-encoding"))
    if (this.stream !== undefined)
      return this.end({ _tag: "Streaming", status, header, body: this.stream.body })
    this.end({ _tag: "Failed", reason: "Protocol", sent: true, cause: new Error(Body.unknown) })
    controller.abort(new Error(Body.unknown))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.stream !== undefined) return this.stream.push(chunk)
    if (!this.received.push(chunk)) this.refuse(controller)
  }

  private refuse(controller: Dispatcher.DispatchController): void {
    this.endTooLarge()
    controller.abort(new Error("too large"))
  }

  onResponseEnd(): void {
    if (this.stream !== undefined) return this.stream.end()
    const whole = this.received.whole()
    const encoding = headerOf(this.headers)("content-encoding")
    // An empty body is empty in every encoding: a 204 may name one.
    if (encoding === undefined || whole.byteLength === 0) return this.answer(whole)
    Body.decode(whole, encoding, this.maxBytes, (error, body) => {
      if (body !== undefined) this.answer(body)
      else if (error === "large") this.endTooLarge()
      else this.end({ _tag: "Failed", reason: "Protocol", sent: true, cause: error })
    })
  }

  private endTooLarge(): void {
    this.end({ _tag: "TooLarge", status: this.status, header: headerOf(this.headers) })
  }

  private answer(body: Uint8Array): void {
    this.end({ _tag: "Answered", status: this.status, header: headerOf(this.headers), body })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.stream !== undefined) this.stream.fail(error)
    else this.end(failed(error, this.controller !== undefined))
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
    const handler = new Handler(request.answer, request.maxBytes, isPlain, (outcome) => {
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
    dispatcher.dispatch(options, handler)
    return () => {
      form?.end()
      const mayBeSent = handler.abandon()
      // It stays in undici's queue until a connection is free.
      if (!mayBeSent) options.body = null
      return mayBeSent
    }
  }
