/** The end user's own profile, and the profiles that they meet. */
import * as Profiles from "../../core/profiles/operations.js"
import { bind } from "./client.js"

export const get = /*#__PURE__*/ bind(Profiles.get)
export const getFull = /*#__PURE__*/ bind(Profiles.getFull)
export const update = /*#__PURE__*/ bind(Profiles.update)
export const search = /*#__PURE__*/ bind(Profiles.search)
export const follow = /*#__PURE__*/ bind(Profiles.follow)
export const unfollow = /*#__PURE__*/ bind(Profiles.unfollow)
export const followers = /*#__PURE__*/ bind(Profiles.followers)
export const followings = /*#__PURE__*/ bind(Profiles.followings)
export const block = /*#__PURE__*/ bind(Profiles.block)
export const unblock = /*#__PURE__*/ bind(Profiles.unblock)
export const isBlocked = /*#__PURE__*/ bind(Profiles.isBlocked)
