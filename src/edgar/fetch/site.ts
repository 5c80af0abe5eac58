/** The site of public files: the SEC's two hosts, or one address with the same paths. */
export interface Site {
  /** Origin and path before `/Archives` and `/files`, without a trailing slash. */
  readonly files: string;
  /** Origin and path before `/submissions` and `/api`. */
  readonly api: string;
}

/** One file of the site. */
export interface RemoteFile {
  readonly url: string;
  /** Its path below the directory of sources, with slashes. */
  readonly file: string;
  /** A zip is large: it is fetched without content coding, and resumed after an interruption. */
  readonly kind: 'json' | 'zip' | 'text';
  /** Maximum size; a larger file is rejected. */
  readonly maxBytes: number;
  /** The company of the file, if the file names one; it must match. */
  readonly cik?: number;
}

export const SEC_SITE: Site = { files: 'https://www.sec.gov', api: 'https://data.sec.gov' };

/** Returns a copy of the site under one address, such as a mirror within a company. */
export function mirrorAt(baseUrl: string): Site {
  const base = baseUrl.replace(/\/+$/, '');
  return { files: base, api: base };
}

/** Whether a redirect to this address may be followed: not to another host, and not to plain HTTP. */
export function isOnSite(site: Site, url: URL): boolean {
  return [site.files, site.api].some((siteUrl) => new URL(siteUrl).origin === url.origin);
}
