/** Maximum ages of prices and reports. The service applies these rules, and messages of the client explain them. */

/**
 * Price figures use a price only if it is at most this number of days older than the release (or than the day of a past
 * screen). A rule of fin, not of the HTTP API.
 */
export const MAX_PRICE_AGE_DAYS = 180;

/** Maximum number of days between two annual reports of a company that files on time: fifteen months. */
export const MAX_DAYS_BETWEEN_ANNUAL_REPORTS = 457;
