import { execFileSync } from "node:child_process"
import { factor } from "@quartet/support/patience.js"

delete process.env.PATIENCE
const [first, second] = [factor(), factor()]
const child = Number(execFileSync(process.execPath, ["-p", "process.env.PATIENCE"]))
console.log(JSON.stringify({ first, second, child }))
