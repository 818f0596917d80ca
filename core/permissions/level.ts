/** Permission levels and their weights (specification, points 6 and 9). */

/** May do nothing. @category constants */
export const None = 0
/** May read. @category constants */
export const Read = 1
/** May read and write. @category constants */
export const Write = 3
/** May do everything. @category constants */
export const Admin = 9

/** A permission level. @category models */
export type Level = typeof None | typeof Read | typeof Write | typeof Admin
