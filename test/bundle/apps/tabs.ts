// An app whose tabs share a session.
import * as Tabs from "../../../adapters/tabs/index.js"

console.log(Tabs.make({ name: "desk" }).session())
