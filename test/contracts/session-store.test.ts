import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Layer from "effect/Layer"
import { afterAll, beforeEach, vi } from "vitest"
import * as Storage from "../../adapters/storage/index.js"
import * as FileStorage from "../../adapters/storage-file/index.js"
import { FakeStorage } from "../support/fake-storage.js"
import { sessionStoreContract } from "./session-store.js"

const root = mkdtempSync(join(tmpdir(), "quartet-sessions-"))
beforeEach(() => {
  vi.stubGlobal("localStorage", new FakeStorage())
  vi.stubGlobal("sessionStorage", new FakeStorage())
})
afterAll(() => {
  vi.unstubAllGlobals()
  rmSync(root, { recursive: true, force: true })
})

sessionStoreContract("in memory", () => Storage.layerMemory)
sessionStoreContract("in files", () => FileStorage.layer(join(root, randomUUID(), "deeper")))
sessionStoreContract("in a browser's localStorage", () => Storage.layerLocalStorage)
sessionStoreContract("in a browser's sessionStorage", () => Storage.layerSessionStorage)
sessionStoreContract("in a KeyValueStore of the program's own", () =>
  Layer.provide(Storage.layer, KeyValueStore.layerMemory)
)
