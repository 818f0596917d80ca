/** Two versions of the same, for who has to choose between them. */
import type { ReactElement, ReactNode } from "react"
import { Scroll } from "./scroll.js"
import styles from "./table.module.css"

export interface VersionsProps {
  readonly rows: ReadonlyArray<readonly [name: string, theirs: ReactNode, yours: ReactNode]>
}

export const Versions = ({ rows }: VersionsProps): ReactElement => (
  <Scroll label="Both versions">
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Theirs</th>
          <th scope="col">Yours</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, theirs, yours]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{theirs}</td>
            <td>{yours}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
