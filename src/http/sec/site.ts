/** Base addresses of the public files: the SEC's two hosts, or a mirror with the same paths. */
export interface Site {
  /** Origin and path before `/Archives` and `/files`, without a trailing slash. */
  readonly filesUrl: string;
  /** Origin and path before `/submissions` and `/api`. */
  readonly apiUrl: string;
}

export const SEC_SITE: Site = { filesUrl: 'https://www.sec.gov', apiUrl: 'https://data.sec.gov' };

/** Returns the site for a mirror with a single base address. */
export function makeMirrorSite(baseUrl: string): Site {
  const base = baseUrl.replace(/\/+$/, '');
  return { filesUrl: base, apiUrl: base };
}

/** Whether a redirect to `url` stays on the site's hosts, and does not change from HTTPS to HTTP. */
export const isUrlOnSite = (site: Site, url: URL): boolean =>
  [site.filesUrl, site.apiUrl].some((siteUrl) => new URL(siteUrl).origin === url.origin);
