"use client"
/** The program in a client component; it leaves both outcomes for the browser's driver. */
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import * as XhrTransport from "@quartet/sdk/adapters/xhr"
import { useEffect } from "react"
import { run } from "./program.js"

export const Client = ({ platform, server }) => {
  useEffect(() => {
    const others = {
      undici: () => UndiciTransport.make(),
      xhr: () => XhrTransport.make(FetchTransport.make())
    }
    run(platform, others).then((client) => {
      Reflect.set(globalThis, "outcome", JSON.stringify({ server, client }))
    })
  }, [platform, server])
  return <p>{Object.keys(server).length}</p>
}
