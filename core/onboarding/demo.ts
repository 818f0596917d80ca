/**
 * The demo data. Prices and figures are those of the specification (point 9); it gives no documents and no texts, so
 * these are made up.
 */
import type { Document, Onboarding } from "./model.js"

/** Makes the start of a new project, of which each client has its own. @category constructors */
export const makeDemo = (): Onboarding => {
  const agreement: Document = {
    id: "service-agreement",
    title: "Service agreement",
    description: "The terms on which the platform is used and billed.",
    previewURL: "https://example.com/documents/service-agreement.pdf",
    isAccepted: false,
    acceptedAt: null,
    acceptedBy: null,
    validFrom: new Date("2024-01-01T00:00:00.000Z")
  }

  const processing: Document = {
    id: "data-processing-agreement",
    title: "Data processing agreement",
    description: "How the platform handles the data of a project's users.",
    previewURL: "https://example.com/documents/data-processing-agreement.pdf",
    isAccepted: false,
    acceptedAt: null,
    acceptedBy: null,
    validFrom: new Date("2024-01-01T00:00:00.000Z")
  }

  const agreed = () => ({ id: agreement.id, title: agreement.title })
  return {
    tasks: [{ id: "billing-onboarding", type: "billing-onboarding", isCompleted: false }],
    documents: [agreement, processing],
    billing: [
      {
        id: "sms-worldwide",
        service: "SMS worldwide",
        sku: "sms-worldwide",
        unit: "piece",
        agreement: agreed(),
        price: 0.35
      },
      {
        id: "sms-georgia",
        service: "SMS Georgia",
        sku: "sms-georgia",
        unit: "piece",
        agreement: agreed(),
        price: 0.004
      },
      {
        id: "hosting-monthly",
        service: "Monthly hosting",
        sku: "hosting-monthly",
        unit: "month",
        agreement: agreed(),
        price: 100
      }
    ],
    stats: {
      userCount: 3,
      contentCount: 11,
      registeredUserCount: 5,
      currentBillAmount: { amount: 7.11, currency: "USD" }
    }
  }
}
