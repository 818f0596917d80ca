/** Errors that a platform answers in place of a download with a status of success: without a look at them, they would become the file. */
import { constVoid } from "effect/Function"
import { BoundedBytes } from "../ports/bounded-bytes.js"
import type { Outcome } from "../ports/transport.js"

type Streaming = Extract<Outcome, { readonly _tag: "Streaming" }>
type Chunks = ReadonlyArray<Uint8Array>

/** The most bytes of JSON that are looked at: an error is shorter. */
const most = 65_536

const joined = (chunks: Chunks): Uint8Array => {
  const all = new BoundedBytes(Number.POSITIVE_INFINITY)
  for (const chunk of chunks) all.push(chunk)
  return all.whole()
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

/** Whether an answer is short enough to be an error, as far as its headers say. */
const isShort = (header: Streaming["header"]): boolean | undefined => {
  const length = Number(header("content-length") ?? Number.NaN)
  return Number.isNaN(length) ? undefined : length <= most
}

/**
 * Settles with the error that an answer of bytes stands for, or with its bytes as they came. `read` says what an answer is by its status,
 * its headers and, where it is JSON, its body: a short one, or one that comes in one piece where nothing says how long it is. Answers how to
 * give up before that.
 */
export const settle = (
  { body, header, status }: Streaming,
  read: (whole: Extract<Outcome, { readonly _tag: "Answered" }>) => Outcome,
  end: (outcome: Outcome) => void
): (() => void) => {
  const errorIn = (bytes: Uint8Array): Outcome | undefined => {
    const outcome = read({ _tag: "Answered", status, header, body: bytes })
    return "status" in outcome && outcome.status > 299 ? outcome : undefined
  }
  const reader = body.getReader()
  const release = (): void => void reader.cancel().then(constVoid, constVoid)
  let isOver = false
  const finish = (outcome: Outcome): void => {
    isOver = true
    end(outcome)
  }
  const streaming = (chunks: Chunks): void =>
    finish({ _tag: "Streaming", status, header, body: resumed(chunks, reader) })
  const decide = (chunks: Chunks, isWhole: boolean): void => {
    const error = errorIn(joined(chunks))
    if (error === undefined) return streaming(chunks)
    if (!isWhole) release()
    finish(error)
  }
  const collect = (chunks: Chunks, size: number): void => {
    reader.read().then(
      ({ done, value }) => {
        if (isOver) return
        if (done) return decide(chunks, true)
        const all = [...chunks, value]
        if (size + value.length > most) streaming(all)
        else if (isShort(header) === undefined) decide(all, false)
        else collect(all, size + value.length)
      },
      // The bytes that came are given, and then the same failure again.
      () => isOver || streaming(chunks)
    )
  }
  const isJson = /[/+]json\b/i.test(header("content-type") ?? "")
  if (isJson && isShort(header) !== false) collect([], 0)
  else decide([], false)
  return () => {
    if (isOver) return
    isOver = true
    release()
  }
}
