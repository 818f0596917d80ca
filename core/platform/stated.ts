/** Errors that a platform answers in place of a download with a status of success: without a look at them, they would become the file. */
import type { Outcome } from "../ports/transport.js"

type Streaming = Extract<Outcome, { readonly _tag: "Streaming" }>
type Chunks = ReadonlyArray<Uint8Array>

/** The most bytes of JSON that are looked at: an error is shorter. */
const most = 65_536

const joined = (chunks: Chunks): Uint8Array => {
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** A body whose first chunks were read already. */
const resumed = (
  chunks: Chunks,
  reader: ReadableStreamDefaultReader<Uint8Array>
): ReadableStream<Uint8Array> => {
  const first = [...chunks]
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = first.shift()
      if (chunk !== undefined) return controller.enqueue(chunk)
      return reader.read().then(
        ({ done, value }) => (done ? controller.close() : controller.enqueue(value)),
        (cause: unknown) => controller.error(cause)
      )
    },
    cancel: (cause) => reader.cancel(cause)
  })
}

/**
 * Settles with the error that an answer of bytes stands for, or with its bytes as they came. `read` says what an answer is by its status,
 * its headers and, where it is JSON, its body.
 */
export const settle = (
  { body, header, status }: Streaming,
  read: (whole: Extract<Outcome, { readonly _tag: "Answered" }>) => Outcome,
  end: (outcome: Outcome) => void
): void => {
  const errorIn = (bytes: Uint8Array): Outcome | undefined => {
    const outcome = read({ _tag: "Answered", status, header, body: bytes })
    return "status" in outcome && outcome.status > 299 ? outcome : undefined
  }
  const reader = body.getReader()
  const streaming = (chunks: Chunks): void =>
    end({ _tag: "Streaming", status, header, body: resumed(chunks, reader) })
  const refuse = (outcome: Outcome): void => {
    reader.cancel().then(
      () => undefined,
      () => undefined
    )
    end(outcome)
  }
  const isJson = /[/+]json\b/i.test(header("content-type") ?? "")
  const collect = (chunks: Chunks, size: number): void => {
    reader.read().then(
      ({ done, value }) => {
        const error = done ? errorIn(joined(chunks)) : undefined
        if (error !== undefined) end(error)
        else if (done || size + value.length > most) streaming(done ? chunks : [...chunks, value])
        else collect([...chunks, value], size + value.length)
      },
      // The bytes that came are given, and then the same failure again.
      () => streaming(chunks)
    )
  }
  if (isJson) return collect([], 0)
  const error = errorIn(new Uint8Array())
  if (error === undefined) streaming([])
  else refuse(error)
}
