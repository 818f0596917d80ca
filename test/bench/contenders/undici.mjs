// undici's own `request`, the same copy that Quartet's undici transport uses.

import { Agent, request } from "undici"

/** @type {import("./index.mjs").Contender} */
export const contender = {
  name: "undici",
  dates: false,
  setup: async (baseUrl) => {
    const dispatcher = new Agent()
    const get = async (/** @type {string} */ path) =>
      (await request(baseUrl + path, { dispatcher })).body.json()
    return {
      small: () => get("/small"),
      page: () => get("/page"),
      large: () => get("/large"),
      close: () => dispatcher.close()
    }
  }
}
