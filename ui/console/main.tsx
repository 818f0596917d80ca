/** Starts the console in the page. */

import { QuartetProvider } from "@quartet/react"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./app/app.js"
import { registry } from "./app/cells.js"
import { Toasts } from "./app/toasts.js"
import { DialogEnd, Questions } from "./design/dialog.js"

const root = document.getElementById("root")
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QuartetProvider registry={registry}>
        <DialogEnd value={<Toasts inDialog />}>
          <App />
          <Questions />
        </DialogEnd>
      </QuartetProvider>
    </StrictMode>
  )
}
