/** Checks the relative paths in a file list that was received from another machine. */
const MAX_PATH_LENGTH = 200;
const MAX_PATH_PARTS = 4;

/**
 * Accepts only plain names; rejects paths that leave the directory, are hidden, or mean a different file on another
 * system.
 */
export function isSafePath(path: string): boolean {
  const parts = path.split('/');
  return (
    path.length <= MAX_PATH_LENGTH &&
    parts.length <= MAX_PATH_PARTS &&
    parts.every(
      (name) => /^[A-Za-z0-9_]([A-Za-z0-9_.=-]*[A-Za-z0-9_])?$/.test(name) && !WINDOWS_DEVICE_NAME_PATTERN.test(name),
    )
  );
}

/** File names that Windows reserves for devices, with any extension. */
const WINDOWS_DEVICE_NAME_PATTERN = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
