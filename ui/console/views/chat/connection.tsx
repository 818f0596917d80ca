/** The state of the chat's connection, with a button to connect again. */
import type { ReactElement } from "react"
import type { Connection } from "../../../rx/index.js"
import { Button } from "../../design/button.js"
import layout from "../../design/layout.module.css"
import { Badge, type Tone } from "../../design/show.js"

const shown = (connection: Connection<unknown>): readonly [Tone, string] => {
  switch (connection.status) {
    case "connected":
      return ["good", "Connected"]
    case "connecting":
      return ["info", "Connecting…"]
    case "reconnecting":
      return ["warn", `Reconnecting, attempt ${connection.attempt}`]
    default:
      return ["bad", "Not connected"]
  }
}

export const ConnectionBadge = (props: {
  readonly connection: Connection<unknown>
  readonly onReopen: () => void
}): ReactElement => {
  const [tone, words] = shown(props.connection)
  return (
    <div className={layout.row}>
      <span role="status">
        <Badge tone={tone} dot>
          {words}
        </Badge>
      </span>
      {tone === "bad" && (
        <Button size="s" onClick={props.onReopen}>
          Connect again
        </Button>
      )}
    </div>
  )
}
