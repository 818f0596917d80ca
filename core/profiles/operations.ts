/**
 * The calls on profiles (specification, point 7): `profiles` for admins, who see them all, and `profile` for the end
 * user, who has one and sees others.
 */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import {
  BlockState,
  Connections,
  OwnProfileChange,
  Profile,
  ProfileChange,
  ProfileSearch,
  Relation,
  SearchProfiles
} from "./model.js"

/** Searches the project's profiles. */
export const adminSearch: Operation<
  SearchProfiles,
  Page<Profile>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("profiles.search", () => ({
  method: "GET",
  path: "profile/search",
  audiences: ["admin"],
  input: SearchProfiles,
  success: page(Profile),
  requires: Level.Read
}))

/** Reads a profile. */
export const adminGet: Operation<Entity.ById, Profile, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "profiles.get",
  () => ({
    method: "GET",
    path: "profile/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Profile,
    requires: Level.Read
  })
)

/** Reads the short form of a profile. */
export const adminGetBasic: Operation<Entity.ById, Profile, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "profiles.getBasic",
  () => ({
    method: "GET",
    path: "profile/{id}/basic",
    audiences: ["admin"],
    input: Entity.ById,
    success: Profile,
    requires: Level.Read
  })
)

/** Changes a profile on the legacy service. The body holds its id. */
export const adminUpdate: Operation<
  Entity.WithBody<ProfileChange>,
  Profile,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("profiles.update", () => ({
  method: "PUT",
  path: "profile",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.withBody(ProfileChange),
  success: Profile,
  requires: Level.Write
}))

/** Reads the short form of the end user's own profile. */
export const get: Operation<Entity.Nothing, Profile, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "profile.get",
  () => ({
    method: "GET",
    path: "profile",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: Profile
  })
)

/** Reads the end user's own profile. */
export const getFull: Operation<Entity.Nothing, Profile, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "profile.getFull",
  () => ({
    method: "GET",
    path: "profile/full",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: Profile
  })
)

/** Changes the end user's own profile. */
export const update: Operation<
  Entity.WithBody<OwnProfileChange>,
  Profile,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("profile.update", () => ({
  method: "PUT",
  path: "profile",
  audiences: ["endUser"],
  input: Entity.withBody(OwnProfileChange),
  success: Profile
}))

/** Searches profiles by the fields of the body. */
export const search: Operation<
  Entity.WithBody<ProfileSearch>,
  Page<Profile>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("profile.search", () => ({
  method: "POST",
  path: "profile/search",
  audiences: ["endUser"],
  input: Entity.withBody(ProfileSearch),
  success: page(Profile),
  isReadOnly: true
}))

/** Follows a profile. */
export const follow: Operation<
  Entity.ById,
  Entity.Guess<Relation>,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("profile.follow", () => ({
  method: "POST",
  path: "profile/{id}/follow",
  audiences: ["endUser"],
  input: Entity.ById,
  success: Entity.guess(Relation)
}))

/** Stops following a profile. */
export const unfollow: Operation<Entity.ById, unknown, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "profile.unfollow",
  () => ({
    method: "DELETE",
    path: "profile/{id}/follow",
    audiences: ["endUser"],
    input: Entity.ById,
    success: Entity.Anything
  })
)

/** Lists the followers of a profile. */
export const followers: Operation<
  Connections,
  Page<Profile>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("profile.followers", () => ({
  method: "POST",
  path: "profile/{id}/followers",
  audiences: ["endUser"],
  input: Connections,
  success: page(Profile),
  isReadOnly: true
}))

/** Lists the profiles that a profile follows. */
export const followings: Operation<
  Connections,
  Page<Profile>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("profile.followings", () => ({
  method: "POST",
  path: "profile/{id}/followings",
  audiences: ["endUser"],
  input: Connections,
  success: page(Profile),
  isReadOnly: true
}))

/** Blocks a profile. */
export const block: Operation<
  Entity.ById,
  Entity.Guess<Relation>,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("profile.block", () => ({
  method: "POST",
  path: "profile/{id}/block",
  audiences: ["endUser"],
  input: Entity.ById,
  success: Entity.guess(Relation)
}))

/** Unblocks a profile. */
export const unblock: Operation<Entity.ById, unknown, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "profile.unblock",
  () => ({
    method: "DELETE",
    path: "profile/{id}/block",
    audiences: ["endUser"],
    input: Entity.ById,
    success: Entity.Anything
  })
)

/** Reads whether the end user blocks a profile. */
export const isBlocked: Operation<
  Entity.ById,
  Entity.Guess<BlockState>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("profile.isBlocked", () => ({
  method: "GET",
  path: "profile/{id}/block",
  audiences: ["endUser"],
  input: Entity.ById,
  success: Entity.guess(BlockState)
}))
