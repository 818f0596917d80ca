/** This process among those of a fleet. */
import { hostname } from "node:os"

/** A name that no other runner has, and that tells where it runs. */
export const runnerName = (host: string = hostname()): string => `${host}-${crypto.randomUUID().slice(0, 8)}`
