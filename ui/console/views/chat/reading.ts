/** Marks messages as seen that somebody has had before their eyes. */
import { useMutation, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { type RefObject, useEffect, useState } from "react"
import { admin } from "../../app/query-clients.js"
import { see, setSeenHere } from "./data.js"

/** Milliseconds that a message is on the screen until it counts as seen. */
const readingTime = 1_000

/** Whether the page is looked at. */
const useIsVisible = (): boolean => {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const listen = (): void => setVisible(!document.hidden)
    document.addEventListener("visibilitychange", listen)
    return () => document.removeEventListener("visibilitychange", listen)
  }, [])
  return isVisible
}

/** `unread` are the ids of messages, each of which stands in the element with its `data-unread`. */
export const useReading = (
  id: string,
  scroller: RefObject<HTMLElement | null>,
  isReading: boolean,
  unread: ReadonlyArray<string>
): void => {
  const { mutate } = useMutation(see)
  const session = useSession(admin.session)
  const isOn = useIsVisible() && isReading && session.can(Admin.conversations.markSeen)
  const ids = unread.join()
  useEffect(() => {
    if (!isOn || ids === "") return
    const inSight = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const mark = (): void => {
      for (const messageId of inSight) {
        setSeenHere(messageId)
        void mutate({ id, messageId })
      }
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          const name = target.getAttribute("data-unread") ?? ""
          if (isIntersecting) inSight.add(name)
          else inSight.delete(name)
        }
        clearTimeout(timer)
        timer = setTimeout(mark, readingTime)
      },
      { root: scroller.current }
    )
    for (const element of scroller.current?.querySelectorAll("[data-unread]") ?? []) observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [id, isOn, ids])
}
