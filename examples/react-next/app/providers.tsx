"use client"
/** The answers of the page, for every query on it. Next's hook brings those that a render waited for on the server. */
import { QuartetProvider, StreamedHydration } from "@quartet/react"
import { useServerInsertedHTML } from "next/navigation"
import type { ReactNode } from "react"

export const Providers = ({ children }: { readonly children: ReactNode }) => (
  <QuartetProvider>
    <StreamedHydration useServerInsertedHTML={useServerInsertedHTML}>{children}</StreamedHydration>
  </QuartetProvider>
)
