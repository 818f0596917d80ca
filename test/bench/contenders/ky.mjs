// ky with its defaults (a time-out and retries), over the global fetch.

import ky from "ky"

/** @type {import("./index.mjs").Contender} */
export const contender = {
  name: "ky",
  dates: false,
  setup: async (baseUrl) => {
    const client = ky.create({ prefixUrl: baseUrl })
    return {
      small: () => client.get("small").json(),
      page: () => client.get("page").json(),
      large: () => client.get("large").json(),
      close: async () => {}
    }
  }
}
