/**
 * Answers that come to the browser beside the HTML that React streams: what a server's render was answered is written as a
 * script before the HTML that shows it.
 */
import { dehydrateEntries } from "#runtime/dehydrate"
import { type DehydratedState, hydrate, stage, toScript } from "./hydration.js"
import type { Registry } from "./registry.js"
import { streams } from "./suspense.js"

/** The name by which a browser finds what came for a `StreamedHydration`. */
const nameOf = (id: string): string => `quartet ${id}`

/** On a server: the answers are for this `StreamedHydration`, the first of a registry. */
export const openStream = (registry: Registry, id: string): void => {
  registry.get(streams).id ??= id
}

/** The script that brings what was answered since it was last taken; empty where nothing was. */
export const takeScript = (registry: Registry): string => {
  const { answered, id } = registry.get(streams)
  if (id === undefined || answered.size === 0) return ""
  const state = dehydrateEntries(registry, answered)
  answered.clear()
  const place = `self[${toScript(nameOf(id))}]`
  return state.length === 0 ? "" : `(${place}=${place}||[]).push(${toScript(state)})`
}

/** In a browser: takes in what has come until now, while React renders. */
export const receive = (registry: Registry, id: string): void => {
  const come: unknown = Reflect.get(globalThis, nameOf(id))
  // It stays there until the component is mounted: React may forget this render, and the registry with it.
  if (Array.isArray(come)) for (const state of come) stage(registry, state)
}

/** In a browser: takes in what has come, and what comes from now on, until the function that it returns is called. */
export const listen = (registry: Registry, id: string): (() => void) => {
  const come: unknown = Reflect.get(globalThis, nameOf(id))
  const push = (state: DehydratedState): void => hydrate(registry, state)
  if (Array.isArray(come)) come.forEach(push)
  Reflect.set(globalThis, nameOf(id), { push })
  return () => void Reflect.deleteProperty(globalThis, nameOf(id))
}

/**
 * Puts the answers that `useSuspenseQuery` waited for into a stream of HTML, each before the HTML that shows it. It is for
 * apps that render by themselves, with a `StreamedHydration` inside of a provider that has this registry:
 *
 * ```ts
 * const html = await renderToReadableStream(<QuartetProvider registry={registry}>…</QuartetProvider>)
 * return new Response(streamAnswers(html, registry), { headers: { "content-type": "text/html" } })
 * ```
 * @category operations
 */
export const streamAnswers = (
  html: ReadableStream<Uint8Array>,
  registry: Registry,
  { nonce }: { readonly nonce?: string } = {}
): ReadableStream<Uint8Array> => {
  const tag = nonce === undefined ? "<script>" : `<script nonce="${nonce.replace(/["&<>]/g, "")}">`
  const encoder = new TextEncoder()
  let chunks: Array<Uint8Array> = []
  let isFirst = true
  let written: Promise<void> | undefined
  const write = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    const text = takeScript(registry)
    const script = text === "" ? [] : [encoder.encode(`${tag}${text}</script>`)]
    // The page begins with its own first words.
    for (const chunk of isFirst ? [...chunks, ...script] : [...script, ...chunks]) controller.enqueue(chunk)
    chunks = []
    isFirst = false
  }
  return html.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        chunks.push(chunk)
        // React writes all that it has at once, in chunks that may end inside of a tag.
        written ??= new Promise((resolve) => {
          setTimeout(() => {
            written = undefined
            write(controller)
            resolve()
          }, 0)
        })
      },
      flush: () => written
    })
  )
}
