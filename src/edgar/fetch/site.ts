/** The site of public files: the regulator's two hosts, or one address that serves the same paths. */
export interface Site {
  /** Origin and path before `/Archives` and `/files`, without a slash at the end. */
  readonly files: string;
  /** The same before `/submissions` and `/api`. */
  readonly api: string;
}

/** One file of the site. */
export interface RemoteFile {
  readonly url: string;
  /** Its path below the directory of sources, with slashes. */
  readonly file: string;
  /** A zip is large: it is fetched without a content coding, and resumed where it broke off. */
  readonly kind: 'json' | 'zip' | 'text';
  /** A larger file is not taken. */
  readonly maxBytes: number;
  /** The company that the file must be of, where it names one. */
  readonly cik?: number;
}

export const REGULATOR: Site = { files: 'https://www.sec.gov', api: 'https://data.sec.gov' };

/** A copy of the site under one address, such as a mirror within a company. */
export function mirrorAt(baseUrl: string): Site {
  const base = baseUrl.replace(/\/+$/, '');
  return { files: base, api: base };
}

/** Whether a redirect may be followed to this address: not to another host, and not to plain HTTP. */
export function isWithin(site: Site, to: URL): boolean {
  return [site.files, site.api].some((base) => new URL(base).origin === to.origin);
}
