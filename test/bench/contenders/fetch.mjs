// The base of all ratios: the least that anyone could do.

/** @type {import("./index.mjs").Contender} */
export const contender = {
  name: "fetch",
  dates: false,
  setup: async (baseUrl) => {
    const get = (/** @type {string} */ path) => fetch(baseUrl + path).then((response) => response.json())
    return {
      small: () => get("/small"),
      page: () => get("/page"),
      large: () => get("/large"),
      close: async () => {}
    }
  }
}
