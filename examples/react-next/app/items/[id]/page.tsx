/**
 * One item. What the page cannot do without is fetched before it is sent; other homes follow when they are there; the news
 * are fetched by the component that shows them. The browser takes all of it over, and asks for nothing again.
 */
import { HydrationBoundary, prefetchState } from "@quartet/react"
import { item, others } from "../../../lib/queries"
import { Section } from "../../section"
import { Item } from "./item"
import { News } from "./news"
import { Others } from "./others"

interface Props {
  readonly params: Promise<{ readonly id: string }>
}

export default async function Page({ params }: Props) {
  const { id } = await params
  return (
    <main>
      <HydrationBoundary state={await prefetchState(item(id))}>
        <Item id={id} />
      </HydrationBoundary>
      <Section title="Other homes">
        {/* A promise: it is not awaited here. */}
        <HydrationBoundary state={prefetchState(others)}>
          <Others id={id} />
        </HydrationBoundary>
      </Section>
      <Section title="News">
        <News />
      </Section>
    </main>
  )
}
