/** One seed for all properties, so that a run can be repeated: `SEED=7 npm test` sets another one. */
import * as FC from "effect/FastCheck"

FC.configureGlobal({ ...FC.readConfigureGlobal(), seed: Number(process.env.SEED ?? "20240229") })
