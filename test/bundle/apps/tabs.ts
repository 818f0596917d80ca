// An app whose tabs share a session.
import * as Tabs from "@quartet/sdk/adapters/tabs"

console.log(Tabs.make({ name: "desk" }).session())
