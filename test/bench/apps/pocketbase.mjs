// One call through pocketbase's client: what it weighs.
import PocketBase from "pocketbase"

new PocketBase("https://api.example.com").collection("boxes").getList(1, 10).then(console.log)
