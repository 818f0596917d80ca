/** What a server that has a sandbox tells the console's page: its project, its keys, and who is there. */
import { accounts } from "@quartet/sandbox"
import { kinds } from "@quartet/sandbox/extend"
import type { Configuration } from "./configuration.js"

const { admin, apiKey, endUsers, privateKey, projectId, viewer } = accounts

export const configuration: Configuration = {
  projectId,
  projectName: "Rustaveli Homes",
  apiKey,
  privateKey,
  kinds,
  isAsAssumed: true,
  // The seeded project is the one with conversation topics, and the first of the two with action categories.
  tenants: { topicsProjectId: projectId, categoriesProjectIds: [projectId, "5eed00000000000000000002"] },
  accounts: {
    admin: [
      { name: "Tamar Chikovani", about: "Owner: can do everything", ...admin },
      { name: "Felix Keller", about: "Viewer: can view, not change", ...viewer }
    ],
    endUser: [
      { name: "Ana Beridze", about: "Resident", ...endUsers.ana },
      { name: "Beka Kapanadze", about: "Broker", ...endUsers.beka }
    ]
  }
}
