/** What the kit needs around the whole page: the one locale of what it says and counts. */
import type { ReactElement, ReactNode } from "react"
import { I18nProvider } from "react-aria-components"
import { locale } from "./format.js"

export const Kit = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <I18nProvider locale={locale}>{children}</I18nProvider>
)
