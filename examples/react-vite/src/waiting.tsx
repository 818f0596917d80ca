import { useOutbox } from "@quartet/react/outbox"
import { outbox } from "./quartet"

/** What is not done yet, and what somebody has to decide. */
export const Waiting = () => {
  const { discard, entries, error, retry } = useOutbox(outbox)
  const open = entries.filter(({ state }) => state === "failed" || state === "unknown")
  const waiting = entries.length - open.length
  return (
    <aside>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {waiting > 0 && <p role="status">Changes that wait: {waiting}</p>}
      {open.map((entry) => (
        <p key={entry.id} role="alert">
          {entry.state === "unknown"
            ? "A change may have been made, and its answer was lost. Look at the request, and then decide."
            : entry.error?.message}
          <button type="button" onClick={() => retry(entry.id)}>
            Send again
          </button>
          <button type="button" onClick={() => discard(entry.id)}>
            Drop
          </button>
        </p>
      ))}
    </aside>
  )
}
