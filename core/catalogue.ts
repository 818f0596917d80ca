/**
 * Every operation of the platform, as one list: what the sandbox routes, the tools describe and the tests compare with
 * the platform's list of calls. Apps do not import it, as it holds every call.
 */
import * as Auth from "./auth/operations.js"
import * as Boxes from "./boxes/operations.js"
import * as Content from "./content/operations.js"
import * as ContentModels from "./content-models/operations.js"
import * as Conversations from "./conversations/operations.js"
import * as Entities from "./entities/operations.js"
import * as Events from "./events/operations.js"
import * as Files from "./files/operations.js"
import * as Intranet from "./intranet/operations.js"
import * as Items from "./items/operations.js"
import { Operation } from "./kernel/operation.js"
import * as Models from "./models/operations.js"
import * as Notifications from "./notifications/operations.js"
import * as Orders from "./orders/operations.js"
import * as Payments from "./payments/operations.js"
import * as Profiles from "./profiles/operations.js"
import * as Projects from "./projects/operations.js"
import * as Providers from "./providers/operations.js"
import * as Rates from "./rates/operations.js"
import * as Requests from "./requests/operations.js"
import * as Roles from "./roles/operations.js"
import * as Permissions from "./roles/permissions.js"
import * as Admins from "./users/admins.js"
import * as Users from "./users/operations.js"
import * as Preferences from "./users/preferences.js"

/** The modules that declare operations, in alphabetical order. */
const modules: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  Admins,
  Auth,
  Boxes,
  Content,
  ContentModels,
  Conversations,
  Entities,
  Events,
  Files,
  Intranet,
  Items,
  Models,
  Notifications,
  Orders,
  Payments,
  Permissions,
  Preferences,
  Profiles,
  Projects,
  Providers,
  Rates,
  Requests,
  Roles,
  Users
]

/** Every operation, module by module. An operation that serves several audiences stands here once. */
export const operations: ReadonlyArray<Operation<never, unknown, never>> = modules
  .flatMap((module) => Object.values(module))
  .filter(Operation.isOperation)
