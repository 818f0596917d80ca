/**
 * The port for HTTP: one exchange of a request for an answer. Adapters start exchanges; the kernel does deadlines,
 * retries, credentials and decoding.
 */
import * as Context from "effect/Context"

/** A part of a form: text, or a file. */
export type Part =
  | {
      /** Name of the form's field. */
      readonly name: string
      /** The field's text. */
      readonly text: string
    }
  | {
      /** Name of the form's field. */
      readonly name: string
      /** The file, with its media type. */
      readonly file: Blob
      /** Name of the file. */
      readonly fileName: string
    }

/** A file that is read while it is sent, so only once. */
export interface StreamedPart {
  /** Name of the form's field. */
  readonly name: string
  /** The bytes of the file. */
  readonly stream: ReadableStream<Uint8Array>
  /** Its media type, such as `image/png`. */
  readonly type: string
  /** Name of the file. */
  readonly fileName: string
}

/** What a request carries. */
export type Body<P = Part> =
  | {
      readonly _tag: "Json"
      /** The body as JSON. */
      readonly text: string
    }
  | {
      readonly _tag: "Form"
      /** The fields and files of the form. */
      readonly parts: ReadonlyArray<P>
    }

/** One request, ready for the wire. */
export interface Request<P = Part> {
  /** Name of the operation, for logs and fakes. */
  readonly operation: string
  /** The HTTP method. */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Scheme, host and port. */
  readonly origin: string
  /** Path with query, always from `/`. */
  readonly path: string
  /** Names in lower case. They hold credentials: never log them. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * `include`: a browser sends its cookies for this address, and keeps those that the answer sets. Otherwise it does neither. Elsewhere
   * nobody keeps cookies for a transport: a `cookie` stands among `headers`.
   */
  readonly credentials?: "include" | undefined
  /** What it carries; undefined of a request without a body. */
  readonly body: Body<P> | undefined
  /** `bytes`: the whole body at once. `stream`: as it arrives. */
  readonly answer: "bytes" | "stream"
  /** Maximum decoded bytes of the body; a `stream` is not bounded. */
  readonly maxBytes: number
  /** 1 for the first attempt of a call. */
  readonly attempt: number
  /** All that the client knows and nobody may show, such as its password: for adapters that show requests or answers. */
  readonly secrets?: (() => ReadonlyArray<string>) | undefined
  /** What is secret in an answer and stands where its platform has it, such as a token: for adapters that show answers. */
  readonly secretsIn?:
    | ((answer: Extract<Outcome, { readonly _tag: "Answered" }>) => ReadonlyArray<string>)
    | undefined
  /** Called with the bytes sent and the total, if the adapter can know; the total of a streamed form is 0. */
  readonly onUpload: ((sent: number, total: number) => void) | undefined
  /**
   * Asked by adapters that can (undici's) when a connection is there and nothing is written yet, which may be long after `start`. False: nothing
   * is sent, and the exchange fails with `sent: false`.
   */
  readonly mayBegin?: (() => boolean) | undefined
}

/** A request whose form may hold streams. */
export type AnyRequest = Request<Part | StreamedPart>

/**
 * Why no answer came. `Refused`, `Unresolved` and `ConnectTimeout` prove that nothing was sent. `Tls`: the handshake
 * failed, for example over a certificate, and would fail again. `Offline`: a browser says that it has no network.
 * @category models
 */
export type NetworkReason =
  | "Refused"
  | "Unresolved"
  | "ConnectTimeout"
  | "Tls"
  | "Reset"
  | "Timeout"
  | "Protocol"
  | "Offline"
  | "Unknown"

/**
 * Reads one header of an answer by its name in lower case. Several headers of one name are joined by `, `, but those of
 * `set-cookie` by line feeds: a cookie's date holds a comma. Browsers show none of these.
 */
export interface HeaderReader {
  (name: string): string | undefined
  /** All headers, for `withResponse`. Without it, that has none. */
  readonly all?: () => Iterable<readonly [name: string, value: string]>
}

/** How an exchange ends. `sent: false` says that the request provably never left. */
export type Outcome =
  | {
      readonly _tag: "Answered"
      /** The HTTP status. */
      readonly status: number
      /** Reads the headers of the answer. */
      readonly header: HeaderReader
      /** The whole body, decoded. */
      readonly body: Uint8Array
      /** The body as JSON, where it was read already, such as by a transport that translates answers: fresh, as the kernel may change it. */
      readonly json?: {
        /** What was read. */
        readonly value: unknown
        /** What could not be read, where the value is as it came: reported as drift. */
        readonly drift?:
          | {
              /** What was to be done with the answer, in words. */
              readonly expected: string
              /** What came instead. */
              readonly came: string
            }
          | undefined
      }
    }
  | {
      readonly _tag: "Streaming"
      /** The HTTP status. */
      readonly status: number
      /** Reads the headers of the answer. */
      readonly header: HeaderReader
      /** The body as it arrives, decoded. Fails with an EncodingError where the adapter finds that its content coding is broken. */
      readonly body: ReadableStream<Uint8Array>
    }
  | {
      /** The body is larger than `maxBytes`: it was discarded, with any status. */
      readonly _tag: "TooLarge"
      /** The HTTP status. */
      readonly status: number
      /** Reads the headers of the answer. */
      readonly header: HeaderReader
    }
  | {
      readonly _tag: "Failed"
      /** Why no answer came. */
      readonly reason: NetworkReason
      /** False if the request provably never left; true if it may have. */
      readonly sent: boolean
      /** The error of the runtime. */
      readonly cause: unknown
    }
  | {
      /** A file of the request could not be read: the request was cut off before its end. Or something else of it could not be written. */
      readonly _tag: "Unreadable"
      /** Name of the form's field that holds the file. */
      readonly part: string
      /** The rule that is broken, where `part` is no file. */
      readonly rule?: string
      /** What reading it failed with. */
      readonly cause: unknown
    }

/**
 * Abandons an exchange. False if provably nothing was sent: a call whose deadline has passed then fails with
 * DeadlineExceeded, also a write. Anything else leaves that open.
 */
export type Abandon = (() => boolean) | (() => void)

/**
 * Starts an exchange. Calls `settle` once, unless the returned function abandons the exchange before. May throw an
 * InputError where nothing can be sent.
 */
export interface Service {
  /** Starts an exchange, and gives the function that abandons it. */
  readonly start: (request: Request, settle: (outcome: Outcome) => void) => Abandon
  /**
   * The same for a form with streamed files, for an adapter that can send them as they are read. If omitted, the kernel
   * reads them into memory before it calls `start`.
   */
  readonly stream?: (request: AnyRequest, settle: (outcome: Outcome) => void) => Abandon
}

/**
 * What carries requests: one exchange of a request for an answer. Every client needs one in its context; deadlines,
 * retries, credentials and decoding are the client's, so that all transports behave alike. There are ready ones over
 * the platform's default, `fetch`, undici, XMLHttpRequest and the HttpClient of `@effect/platform`; the sandbox is
 * one, too.
 * @category ports
 */
export class Transport extends Context.Tag("@quartet/sdk/Transport")<Transport, Service>() {}
