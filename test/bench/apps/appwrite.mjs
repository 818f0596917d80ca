// One call through appwrite's client: what it weighs.
import { Client, Databases } from "appwrite"

const client = new Client().setEndpoint("https://api.example.com").setProject("p1")
new Databases(client).listDocuments({ databaseId: "db", collectionId: "boxes" }).then(console.log)
