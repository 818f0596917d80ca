/** The calls of Quartet's clients as queries and mutations of TanStack Query, whatever its framework. */
export { hydration } from "./json.js"
export type { ListPage, PageParam } from "./pages.js"
export {
  type InfiniteQueryOptions,
  type Key,
  type KeyOptions,
  type ListOptions,
  type MutationOptions,
  makeQueryOptions,
  type OptionsFactory,
  type QueryOptions,
  type ReadOptions,
  type SkippableInfiniteQueryOptions,
  type SkippableQueryOptions,
  type Variables,
  type WriteOptions
} from "./query-options.js"
