/** Permission levels and their weights (specification, points 6 and 9). */

export const None = 0
export const Read = 1
export const Write = 3
export const Admin = 9

export type Level = typeof None | typeof Read | typeof Write | typeof Admin
