/** Whether a file of tests that is run in part at each change is run as a whole: see vitest.config.ts. */
export const isWhole = process.env.SCALE === "whole"
