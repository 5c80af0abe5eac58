/**
 * API keys of the service on this machine. Methods with the parameter `account` throw a usage Failure for an invalid
 * name.
 */
export interface KeysPort {
  /**
   * Creates a key. Throws a usage Failure if the expiry is in the past, or if the account already has ten active keys.
   * @param expires ISO 8601 time from which the key is refused; null for no expiry
   * @returns the key, which cannot be shown again
   */
  createKey(dataDirectory: string, account: string, expires: string | null): { readonly key: string } & KeyDescription;
  /** Returns keys, oldest first; keys of all accounts if `account` is null. */
  listKeys(dataDirectory: string, account: string | null): readonly KeyDescription[];
  revokeKeys(dataDirectory: string, ids: readonly string[]): readonly KeyDescription[];
}

/** Record of a key. Times are ISO 8601. */
export interface KeyDescription {
  /** Identifies the key; the key itself is stored only as a hash. */
  readonly id: string;
  readonly account: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
}
