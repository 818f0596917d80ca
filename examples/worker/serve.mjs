/** `npm start`: serves the Worker until it is stopped. */
import { run } from "./miniflare.mjs"

const worker = run({ port: 8787 })
console.log(`${await worker.ready}news`)
