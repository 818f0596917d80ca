/** Whether the chat is connected, in words, with a way to connect again. */
import type { ReactElement } from "react"
import type { Connection } from "../../../rx/index.js"
import { Button } from "../../design/button.js"
import layout from "../../design/layout.module.css"
import { Badge } from "../../design/show.js"

export const ConnectionBadge = (props: {
  readonly connection: Connection<unknown>
  readonly onReopen: () => void
}): ReactElement => {
  const { connection } = props
  const isOver = connection.status === "failed" || connection.status === "closed"
  return (
    <div className={layout.row}>
      <span role="status">
        {connection.status === "connected" && (
          <Badge tone="good" dot>
            Connected
          </Badge>
        )}
        {connection.status === "connecting" && (
          <Badge tone="info" dot>
            Connecting…
          </Badge>
        )}
        {connection.status === "reconnecting" && (
          <Badge tone="warn" dot>
            Reconnecting, attempt {connection.attempt}
          </Badge>
        )}
        {isOver && (
          <Badge tone="bad" dot>
            Not connected
          </Badge>
        )}
      </span>
      {isOver && (
        <Button size="s" onClick={props.onReopen}>
          Connect again
        </Button>
      )}
    </div>
  )
}
