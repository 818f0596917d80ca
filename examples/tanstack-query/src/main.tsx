import { QueryClientProvider } from "@tanstack/react-query"
import { StrictMode, useState } from "react"
import { createRoot } from "react-dom/client"
import { type Desk, queryClient } from "./quartet"
import { Requests } from "./requests"
import { SignIn } from "./sign-in"

const App = () => {
  const [desk, setDesk] = useState<Desk>()
  if (desk === undefined)
    return (
      <main>
        <SignIn onDesk={setDesk} />
      </main>
    )
  const signOut = () => {
    setDesk(undefined)
    void desk.close()
  }
  return (
    <main>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
      <Requests desk={desk} />
    </main>
  )
}

const root = document.getElementById("app")
if (root === null) throw new Error("the page has no element for the app")
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>
)
