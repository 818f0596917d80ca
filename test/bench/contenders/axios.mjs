// axios over node:http, as an application would set it up.

import { Agent } from "node:http"
import axios from "axios"

/** @type {import("./index.mjs").Contender} */
export const contender = {
  name: "axios",
  dates: false,
  setup: async (baseUrl) => {
    const httpAgent = new Agent({ keepAlive: true })
    // A proxy in the environment would take the loopback calls elsewhere.
    const client = axios.create({ baseURL: baseUrl, httpAgent, proxy: false })
    const get = async (/** @type {string} */ path) => (await client.get(path)).data
    return {
      small: () => get("/small"),
      page: () => get("/page"),
      large: () => get("/large"),
      close: async () => httpAgent.destroy()
    }
  }
}
