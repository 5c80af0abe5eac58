/** The API keys of this machine's own service. All methods throw a usage Failure for an invalid account name. */
export interface KeysPort {
  /**
   * Throws a usage Failure for an expiry in the past, and for an eleventh key.
   * @param expires ISO 8601, the time from which the key is refused; null for never
   * @returns the key, which cannot be shown again
   */
  createKey(dataDirectory: string, account: string, expires: string | null): { readonly key: string } & StoredKey;
  /** Returns keys oldest first; of all accounts if `account` is null. */
  listKeys(dataDirectory: string, account: string | null): readonly StoredKey[];
  revokeKeys(dataDirectory: string, ids: readonly string[]): readonly StoredKey[];
}

/** A key's record. Times are ISO 8601. */
export interface StoredKey {
  /** Identifies the key, which is stored only as a hash. */
  readonly id: string;
  readonly account: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
}
