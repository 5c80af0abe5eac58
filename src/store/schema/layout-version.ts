/**
 * When adding a table or column, increase the minor number: releases stay compatible. When dropping, renaming, retyping
 * or redefining a table or column, increase the major number and reset the minor number.
 */
export const LAYOUT_VERSION = { major: 2, minor: 15 } as const;

/** Returns the major version of a manifest's layout, such as "2.15"; NaN if it has none. */
export const readMajorVersion = (layout: unknown): number =>
  typeof layout === 'number' ? layout : Number(/^(\d+)\.\d+$/.exec(String(layout))?.[1] ?? Number.NaN);
