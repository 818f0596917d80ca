/** Starts the console in the page. */

import { QuartetProvider } from "@quartet/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app/app.js"
import { registry } from "./app/cells.js"
import { Toasts } from "./app/toasts.js"
import { Questions } from "./design/dialog.js"
import { Kit } from "./design/kit.js"

const root = document.getElementById("root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QuartetProvider registry={registry}>
        <Kit>
          <App />
          <Questions />
          <Toasts />
        </Kit>
      </QuartetProvider>
    </StrictMode>
  )
}
