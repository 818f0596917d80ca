/** Whether a file of tests that `npm test` runs in part is run as a whole, as `npm run test:slow` does. */
export const isWhole = process.env.SCALE === "whole"
