/** A Worker in front of the platform: visitors get the news as JSON, the key stays here. */

import { createPublic, Errors } from "@quartet/sdk/promise/public"
import * as content from "@quartet/sdk/public/content"

interface Env {
  readonly QUARTET_BASE_URL: string
  readonly QUARTET_API_KEY: string
}

const seconds = 60

const news = async (request: Request, env: Env): Promise<Response> => {
  const page = Number(new URL(request.url).searchParams.get("page") ?? 1)
  // A client costs little and opens nothing before its first call. A Worker may not keep one from request to request.
  const call = createPublic({ baseUrl: env.QUARTET_BASE_URL, apiKey: env.QUARTET_API_KEY })
  try {
    const { items, paging } = await call(
      content.list,
      { apiId: "news", page, limit: 10 },
      { signal: request.signal }
    )
    const body = {
      items: items.map(({ _id, summary, title }) => ({ _id, title, summary })),
      pages: paging.pages
    }
    return Response.json(body, { headers: { "cache-control": `public, max-age=${seconds}` } })
  } catch (error) {
    if (error instanceof Errors.InputError) return Response.json({ error: error.field }, { status: 400 })
    if (error instanceof Errors.NetworkError || error instanceof Errors.ServerFault)
      return Response.json({ error: "later" }, { status: 503, headers: { "retry-after": "5" } })
    throw error
  } finally {
    await call.close()
  }
}

export default {
  fetch: (request, env) =>
    new URL(request.url).pathname === "/news"
      ? news(request, env)
      : new Response("nothing here", { status: 404 })
} satisfies ExportedHandler<Env>
