/** The tables of runs, and what they hold. */

/**
 * `runs`: one row a run; pages below `pages` are cut and may be worked on; `accepted` counts the items that were not done when somebody had
 * it go on, and `counted` the items ahead, where the job can. `pages`: what a runner takes at a time, with who holds it, until when, and an epoch that counts its holders; one character of
 * `states` for each item (see `page.ts`). The page -1 is the reading of the source. One that has ended keeps its count alone.
 * `failures`: items that were not done. `baselines`: what there was before an item was first sent, until it has ended. `runners`: who is
 * there, and for which job. `refusals`: who of them leaves a run to others, and why.
 */
export const tables: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS quartet_runs (
    id TEXT PRIMARY KEY, salt TEXT NOT NULL, job TEXT NOT NULL, version BIGINT NOT NULL, run_key TEXT NOT NULL, input TEXT NOT NULL, state TEXT NOT NULL, error TEXT,
    lanes BIGINT NOT NULL, pages BIGINT NOT NULL, items BIGINT NOT NULL, counted BIGINT, is_read BIGINT NOT NULL, retry TEXT,
    accepted BIGINT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT)`,
  `CREATE TABLE IF NOT EXISTS quartet_pages (
    run TEXT NOT NULL, page BIGINT NOT NULL, state TEXT NOT NULL, epoch BIGINT NOT NULL, runner TEXT, lease_until BIGINT NOT NULL, error TEXT,
    put_at BIGINT NOT NULL, numbers TEXT NOT NULL, items TEXT NOT NULL, states TEXT NOT NULL, done BIGINT NOT NULL, PRIMARY KEY (run, page))`,
  `CREATE INDEX IF NOT EXISTS quartet_pages_open ON quartet_pages (run, page) WHERE state <> 'ended'`,
  `CREATE TABLE IF NOT EXISTS quartet_failures (
    run TEXT NOT NULL, item BIGINT NOT NULL, state TEXT NOT NULL, tag TEXT NOT NULL, error TEXT NOT NULL, input TEXT NOT NULL,
    attempts BIGINT NOT NULL, failed_at BIGINT NOT NULL, PRIMARY KEY (run, item))`,
  `CREATE TABLE IF NOT EXISTS quartet_baselines (run TEXT NOT NULL, item BIGINT NOT NULL, baseline TEXT NOT NULL, PRIMARY KEY (run, item))`,
  `CREATE TABLE IF NOT EXISTS quartet_runners (
    runner TEXT NOT NULL, job TEXT NOT NULL, version BIGINT NOT NULL, lease_until BIGINT NOT NULL, PRIMARY KEY (runner, job))`,
  `CREATE TABLE IF NOT EXISTS quartet_refusals (
    run TEXT NOT NULL, runner TEXT NOT NULL, job TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (run, runner))`
]

/** The page of the one that reads the source. */
export const readerPage = -1

/** A row as the store answers it. */
export type Row = Readonly<Record<string, unknown>>
