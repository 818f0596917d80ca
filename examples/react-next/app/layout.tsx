import type { Metadata } from "next"
import type { ReactNode } from "react"
import { Providers } from "./providers"

export const metadata: Metadata = { title: "Homes" }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
