/** A list as a table: columns declared once, with its skeleton, its empty state, and a button for more. */
import type { ReactElement, ReactNode } from "react"
import { Button } from "./button.js"
import { Card } from "./show.js"
import { type Asked, Loaded, SkeletonRows } from "./state.js"
import styles from "./table.module.css"
import typography from "./typography.module.css"

export interface Column<A> {
  readonly title: string
  readonly end?: boolean
  /** Less prominent than the first column. */
  readonly quiet?: boolean
  /** On narrow screens, which have no table head, the title is shown before the value. */
  readonly labelled?: boolean
  readonly cell: (row: A) => ReactNode
}

/** What a table needs to know about a list. */
export interface Listed<A> extends Asked<unknown> {
  readonly items: ReadonlyArray<A>
  readonly hasNextPage: boolean
  readonly isFetching: boolean
  readonly fetchNextPage: () => void
}

export interface ListProps<A extends { readonly _id: string }> {
  readonly label: string
  readonly of: Listed<A>
  readonly columns: ReadonlyArray<Column<A>>
  readonly empty: ReactNode
  readonly rows?: number
  /** On narrow screens rows become small cards; otherwise the table scrolls. */
  readonly stacks?: boolean
}

/** Scrolls sideways if the screen is too narrow: a named region that the keyboard can reach. */
export const Scroll = (props: { readonly label: string; readonly children: ReactNode }): ReactElement => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={styles.wrap} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
)

const classOf = ({ end, quiet }: Pick<Column<never>, "end" | "quiet">): string =>
  `${end === true ? styles.end : ""} ${quiet === true ? typography.quiet : ""}`

export const List = <A extends { readonly _id: string }>(props: ListProps<A>): ReactElement => {
  const { columns, empty, label, of, rows = 10, stacks = true } = props
  return (
    <Card flush>
      <Loaded
        of={of}
        skeleton={<SkeletonRows rows={rows} />}
        isEmpty={() => of.items.length === 0}
        empty={empty}
      >
        {() => (
          <>
            <Scroll label={label}>
              <table className={styles.table} data-stack={stacks ? "" : undefined}>
                <thead>
                  <tr>
                    {columns.map(({ end, title }) => (
                      <th key={title} scope="col" className={end === true ? styles.end : undefined}>
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {of.items.map((row) => (
                    <tr key={row._id}>
                      {columns.map((column) => (
                        <td
                          key={column.title}
                          className={classOf(column)}
                          data-label={column.labelled === true ? column.title : undefined}
                        >
                          {column.cell(row)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
            {of.hasNextPage && (
              <footer>
                <Button busy={of.isFetching} onClick={of.fetchNextPage}>
                  {of.isFetching ? "Loading…" : "Load more"}
                </Button>
              </footer>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
