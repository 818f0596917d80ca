/** The tables of runs. Every statement on them stands alone and may be repeated: the store needs no transactions. */

/**
 * `runs`: one row a run; pages below `pages` are cut and may be worked on; `accepted` counts the items that were not done when somebody had it go on. `pages`: cut and not yet done, one character of `states` for each item
 * (see `page.ts`). `lanes`: who works on which pages, with a lease and an epoch that counts the owners. `failures`: items that were not done.
 * `baselines`: what there was before an item was first sent, until it has ended.
 */
export const tables: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS quartet_runs (
    id TEXT PRIMARY KEY, salt TEXT NOT NULL, job TEXT NOT NULL, run_key TEXT NOT NULL, input TEXT NOT NULL, state TEXT NOT NULL, error TEXT,
    lanes BIGINT NOT NULL, pages BIGINT NOT NULL, items BIGINT NOT NULL, is_read BIGINT NOT NULL, retry TEXT,
    stalls BIGINT NOT NULL, accepted BIGINT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT)`,
  `CREATE TABLE IF NOT EXISTS quartet_pages (
    run TEXT NOT NULL, page BIGINT NOT NULL, epoch BIGINT NOT NULL, numbers TEXT NOT NULL, items TEXT NOT NULL, states TEXT NOT NULL,
    PRIMARY KEY (run, page))`,
  `CREATE TABLE IF NOT EXISTS quartet_lanes (
    run TEXT NOT NULL, lane BIGINT NOT NULL, generation BIGINT NOT NULL, begun BIGINT NOT NULL, epoch BIGINT NOT NULL, runner TEXT,
    lease_until BIGINT NOT NULL, next_page BIGINT NOT NULL, done BIGINT NOT NULL, state TEXT NOT NULL, error TEXT,
    PRIMARY KEY (run, lane))`,
  `CREATE TABLE IF NOT EXISTS quartet_failures (
    run TEXT NOT NULL, item BIGINT NOT NULL, state TEXT NOT NULL, tag TEXT NOT NULL, error TEXT NOT NULL, input TEXT NOT NULL,
    attempts BIGINT NOT NULL, failed_at BIGINT NOT NULL, PRIMARY KEY (run, item))`,
  `CREATE TABLE IF NOT EXISTS quartet_baselines (run TEXT NOT NULL, item BIGINT NOT NULL, baseline TEXT NOT NULL, PRIMARY KEY (run, item))`
]

/** The lane of the one that reads the source. */
export const readerLane = -1

/** A row as the store answers it. */
export type Row = Readonly<Record<string, unknown>>
