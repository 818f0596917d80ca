/** One item: fetched here, rendered as HTML, and handed to the browser with the page, which does not ask for it again. */
import { dehydrate, makeRegistry, prefetch } from "@quartet/sdk/rx"
import { item } from "../../../lib/queries"
import { Item } from "./item"

interface Props {
  readonly params: Promise<{ readonly id: string }>
}

export default async function Page({ params }: Props) {
  const { id } = await params
  // One a request: it holds what one visitor may see.
  const registry = makeRegistry()
  await prefetch(registry, item(id))
  const state = dehydrate(registry)
  registry.dispose()
  return <Item id={id} state={state} />
}
