import { QuartetProvider, useSession } from "@quartet/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { session } from "./quartet"
import { Requests } from "./requests"
import { SignIn } from "./sign-in"
import { Waiting } from "./waiting"

const App = () => (
  <main>
    <SignIn />
    <Waiting />
    {useSession(session).status === "signed-in" && <Requests />}
  </main>
)

const root = document.getElementById("app")
if (root === null) throw new Error("the page has no element for the app")
createRoot(root).render(
  <StrictMode>
    <QuartetProvider>
      <App />
    </QuartetProvider>
  </StrictMode>
)
