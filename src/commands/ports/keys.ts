/** The API keys of this machine's own service. Each throws a usage Failure for an invalid account name. */
export interface KeysPort {
  /**
   * Throws a usage Failure for an expiry that is past and for an eleventh key.
   * @param expires ISO 8601, the first moment at which the key is refused; null for never
   * @returns the key itself, which nothing can show again
   */
  createKey(dataDirectory: string, account: string, expires: string | null): { readonly key: string } & StoredKey;
  /** Oldest first; of all accounts where none is named. */
  listKeys(dataDirectory: string, account: string | null): readonly StoredKey[];
  revokeKeys(dataDirectory: string, ids: readonly string[]): readonly StoredKey[];
}

/** Times are ISO 8601. */
export interface StoredKey {
  /** Names the key, which is kept only as a hash. */
  readonly id: string;
  readonly account: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created: string;
  readonly expires: string | null;
  readonly revoked: string | null;
}
